import { proposeTray } from '../../state/hand';
import type { Game } from '../game';
import { optionOf } from '../index';
import Felt from './Felt.svelte';
import { bar, choose, main, targetHint, targets, wantedChecks, type Situation } from './moves';

/** Conquian: a card in the centre for one player, then for the other; eleven on the table win. */
export const conquian: Game = {
  keys: { pass: 'P', waive: 'P', force: 'F', discard: 'X', exchange: 'X', meld: 'M' },
  ordered: false,
  marks: false,
  tray: false,
  bar: (s) => bar(s as Situation),
  main: (s, moves) => main(s as Situation, moves),
  wantedChecks: (s) => wantedChecks(s as Situation),
  targets: (s) => targets(s as Situation),
  targetHint: (s, meld) => targetHint(s as Situation, meld),
  choose: (s, meld) => choose(s as Situation, meld),
  arranged: proposeTray,
  advice(situation) {
    const { view, you, t, names } = situation as Situation;
    const words = t.conquian;
    if (you === null) return '';
    const other = names[1 - you] ?? '';
    const card = view.centre !== null;
    if (view.phase === 'exchange')
      return view.exchange?.chosen[you] ? words.doExchanged(other) : words.doExchange;
    if (view.turn !== you || !card === (view.phase !== 'discard')) return t.table.doWait;
    if (view.phase === 'discard') return words.doDiscard;
    if (view.phase === 'window') return words.doWindow(other);
    if (view.forced === you) return words.doForced;
    return words.doDecide;
  },
  standing(view, seat, t) {
    if (view.game !== 'conquian') return null;
    return { word: t.conquian.melded((view.table[seat] ?? []).flat().length) };
  },
  because(result, seat, about, t) {
    const words = t.paid;
    if (result.ending === 'draw') return words.draw;
    const points = Math.abs(result.points[seat] ?? 0);
    const stake = optionOf(about, 'stake');
    const paid = points > stake ? `${stake} × ${points / stake}` : String(points);
    return result.winners.includes(seat) ? words.won(paid) : words.lost(paid);
  },
  Felt,
};
