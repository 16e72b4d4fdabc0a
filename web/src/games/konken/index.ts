import { pointsFrom } from '../floor/because';
import { floorGame } from '../floor/game';
import type { Situation } from '../floor/moves';
import type { Game } from '../game';

/** Konken: its table is everybody's, a Joker taken from it must be used at once. */
export const konken: Game = {
  ...(floorGame as unknown as Game),
  advice({ view, you, hand, t }) {
    const { phase, turn } = view as Situation['view'];
    if (turn !== you) return t.table.doWait;
    if (hand.extra.length > 0) return t.table.doJoker;
    return phase === 'draw' ? t.table.doDraw : t.table.doAct;
  },
  standing: () => null,
  because: pointsFrom,
};
