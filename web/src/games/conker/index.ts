import { proposeTray } from '../../state/hand';
import { pointsFrom } from '../floor/because';
import { floorGame } from '../floor/game';
import { wantedChecks, type Situation } from '../floor/moves';
import type { Game } from '../game';
import { optionOf } from '../index';

/** Conker: locked until 41 points lie in one lay, colours in turn, four of a rank burn, the last discard closes. */
export const conker: Game = {
  ...(floorGame as unknown as Game),
  ordered: true,
  marks: true,
  wantedChecks(situation) {
    const s = situation as Situation;
    const wanted = wantedChecks(s);
    // Each meld of the tray by itself, too: what it is worth is told beside it.
    const single = s.hand.tray.map((keys) => layOf(s, keys));
    return wanted.some((action) => action.a === 'lay') && s.hand.tray.length > 1
      ? [...wanted, ...single]
      : wanted;
  },
  arranged: proposeTray,
  advice({ view, you, about, t }) {
    const { phase, turn, opened } = view as Situation['view'];
    if (turn !== you) return t.table.doWait;
    const isIn = you !== null && opened[you];
    if (phase === 'draw') return isIn ? t.table.doDraw : t.conker.doDraw;
    if (isIn) return t.conker.doAct;
    return t.conker.doOpen(about ? optionOf(about, 'opening_points') : 41);
  },
  standing(view, seat, t) {
    if (view.game !== 'conker') return null;
    return view.opened[seat] ? { word: t.conker.isIn } : { word: t.conker.locked, icon: 'lock' };
  },
  because(result, seat, about, t) {
    const base = pointsFrom(result, seat, about, t);
    const [winner] = result.winners;
    if (result.ending !== 'out' || winner === undefined) return base;
    const others = result.penalties.filter((_, at) => at !== winner).reduce((sum, points) => sum + points, 0);
    const doubled =
      about.options.game === 'conker' &&
      about.options.scoring === undefined &&
      others > 0 &&
      result.points[winner] === 2 * others;
    return seat === winner && doubled ? `${t.conker.doubled}: 2 × ${others}` : base;
  },
};

function layOf(s: Situation, keys: readonly number[]) {
  const cards = keys.flatMap((key) => s.hand.slots.find((slot) => slot.key === key)?.card ?? []);
  return { a: 'lay', melds: [cards] } as const;
}
