import type { Card } from '../../protocol';
import type { Slot } from '../../state/hand';
import type { AnyView, Held } from '../game';

const PACK = [...'SHDC'].flatMap((suit) => [...'A234567JQK'].map((rank) => rank + suit));
/** Cards on the table have keys below this; each card is there once, so its key says which it is. */
const TABLE = -10;

export function tableKey(card: Card): number {
  return TABLE - PACK.indexOf(card);
}

/** Besides the hand: one's own melds, and the card in the centre while one decides about it. */
export function heldInConquian(view: AnyView, you: number | null): Held {
  if (view.game !== 'conquian' || you === null) return { extra: [], came: null, yours: false };
  const own = view.table[you] ?? [];
  const yours = view.turn === you;
  const decides = yours && ['own', 'offered', 'forced'].includes(view.phase);
  const cards = [...own.flat(), ...(view.centre && decides ? [view.centre.card] : [])];
  const extra: Slot[] = cards.map((card) => ({ key: tableKey(card), card }));
  return { extra, base: own.map((meld) => meld.map(tableKey)), came: null, yours };
}
