import { compareCards, faceOf, JOKER, type SortBy } from '../lib/cards';
import type { Card, Placed } from '../protocol';

/** One card in the hand. The copies of two packs look alike; `key` tells them apart on this screen only. */
export interface Slot {
  readonly key: number;
  readonly card: Card;
}

/** How one player has arranged the hand. The server knows the cards, only this screen knows their order. */
export interface Arrangement {
  /** Which deal these cards are of. A number would not do: a rematch counts its hands from one again. */
  readonly deal: string;
  readonly nextKey: number;
  /** Every card held, left to right, those in the tray included. */
  readonly slots: readonly Slot[];
  /** Keys of the chosen cards, in the order of choosing. */
  readonly selected: readonly number[];
  /** Melds that are put together, as keys. */
  readonly tray: readonly (readonly number[])[];
  /** Melds that were arranged in the hand, as keys; each is marked as long as it lies together. */
  readonly melds: readonly (readonly number[])[];
  /** The card that has just come. */
  readonly marked: number | null;
  /** Cards that an action may use besides those of the hand; see `Held`. */
  readonly extra: readonly Slot[];
  /** The tray as the table has it, in games that arrange their table in it. */
  readonly base: readonly (readonly number[])[];
}

/** A Joker taken off the table waits for its use: it belongs to the action, but to no hand. */
export const PENDING_KEY = -1;
export const PENDING: Slot = { key: PENDING_KEY, card: JOKER };

export function emptyArrangement(deal = ''): Arrangement {
  return {
    deal,
    nextKey: 1,
    slots: [],
    selected: [],
    tray: [],
    melds: [],
    marked: null,
    extra: [],
    base: [],
  };
}

/**
 * Bring an arrangement up to the cards that the server says are held.
 *
 * What stays keeps its place; of equal copies the ones in `leaving` go first, then the rightmost. New cards come in
 * at the right end, and a single new one is marked. `extra` may be used besides; where melds on the table are arranged
 * in the tray, it becomes `base` again as soon as the table has changed.
 */
export function reconcile(
  before: Arrangement,
  deal: string,
  cards: readonly Card[],
  {
    leaving = [],
    extra = [],
    base = [],
  }: {
    leaving?: readonly number[];
    extra?: readonly Slot[];
    base?: readonly (readonly number[])[];
  } = {},
): Arrangement {
  const old = before.deal === deal ? before : emptyArrangement(deal);
  const due = new Map<Card, number>();
  for (const card of cards) due.set(card, (due.get(card) ?? 0) + 1);

  const keep = new Set<number>();
  const staying = old.slots.filter((slot) => !leaving.includes(slot.key));
  const going = old.slots.filter((slot) => leaving.includes(slot.key));
  for (const slot of [...staying, ...going]) {
    const left = due.get(slot.card) ?? 0;
    if (left === 0) continue;
    due.set(slot.card, left - 1);
    keep.add(slot.key);
  }

  // The hand arrives oldest first, so among equal cards the last ones are the new ones.
  const arrived = [...cards].reverse().filter((card) => {
    const left = due.get(card) ?? 0;
    due.set(card, left - 1);
    return left > 0;
  });
  const fresh = arrived.reverse().map((card, index) => ({ key: old.nextKey + index, card }));
  const slots = [...old.slots.filter((slot) => keep.has(slot.key)), ...fresh];
  const held = (key: number) => [...slots, ...extra].some((slot) => slot.key === key);
  const isDeal = old.slots.length === 0;
  const marked = fresh.length === 1 && !isDeal ? old.nextKey : old.marked;
  const moved = !lieAlike(base, old.base);
  const tray = old.tray.map((meld) => meld.filter(held)).filter((meld) => meld.length > 0);
  return {
    deal,
    nextKey: old.nextKey + fresh.length,
    slots,
    selected: old.selected.filter(held),
    tray: moved ? base : tray,
    melds: old.melds.filter((meld) => meld.every(held)),
    marked: marked !== null && held(marked) ? marked : null,
    extra,
    base,
  };
}

/** Whether melds are the same, and lie in the same order. */
function lieAlike(some: readonly (readonly number[])[], others: readonly (readonly number[])[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** Whether the tray is another than the table has it. */
export function isRearranged({ tray, base }: Arrangement): boolean {
  return !lieAlike(tray, base);
}

/** Whether one meld of it is. */
export function isMeldRearranged({ tray, base }: Arrangement, at: number): boolean {
  return !lieAlike(tray.slice(at, at + 1), base.slice(at, at + 1));
}

export function toggle(hand: Arrangement, key: number): Arrangement {
  const selected = hand.selected.includes(key)
    ? hand.selected.filter((one) => one !== key)
    : [...hand.selected, key];
  return { ...hand, selected };
}

export function deselect(hand: Arrangement): Arrangement {
  return { ...hand, selected: [] };
}

/** Sorting is an act: the order stays until the player sorts again or moves a card. */
export function sort(hand: Arrangement, by: SortBy): Arrangement {
  const compare = compareCards(by);
  const slots = [...hand.slots].sort((a, b) => compare(a.card, b.card) || a.key - b.key);
  return { ...hand, slots, melds: [] };
}

/** Put proposed melds first, each together and marked; the rest of the hand keeps its order. */
export function arrangeMelds(hand: Arrangement, proposed: readonly (readonly Placed[])[]): Arrangement {
  const away = new Set(hand.tray.flat());
  const free = hand.slots.filter((slot) => !away.has(slot.key));
  const melds = proposed.flatMap((cards) => {
    const meld = cards.map((card) => {
      const at = free.findIndex((slot) => slot.card === faceOf(card));
      return at < 0 ? undefined : free.splice(at, 1)[0];
    });
    const found = meld.filter((slot) => slot !== undefined);
    if (found.length === cards.length) return [found];
    // A part of it lies in the tray: what is left is no meld.
    free.push(...found);
    return [];
  });
  const first = melds.flat();
  const rest = hand.slots.filter((slot) => !first.includes(slot));
  return { ...hand, slots: [...first, ...rest], melds: melds.map((meld) => meld.map((slot) => slot.key)) };
}

/** The arranged melds that still lie together, as places among the cards shown: [first, length]. */
export function meldsInPlace(hand: Arrangement): [number, number][] {
  const shown = inHand(hand).map((slot) => slot.key);
  return hand.melds.flatMap((meld): [number, number][] => {
    const places = meld.map((key) => shown.indexOf(key)).sort((a, b) => a - b);
    const first = places[0] ?? -1;
    return first >= 0 && places.every((place, at) => place === first + at) ? [[first, meld.length]] : [];
  });
}

/** Put a card where `target` lies; the cards between move up. */
export function moveTo(hand: Arrangement, key: number, target: number): Arrangement {
  const from = hand.slots.findIndex((slot) => slot.key === key);
  const to = hand.slots.findIndex((slot) => slot.key === target);
  if (from < 0 || to < 0 || from === to) return hand;
  const slots = [...hand.slots];
  slots.splice(to, 0, ...slots.splice(from, 1));
  return { ...hand, slots };
}

/** The order of before, by its keys; what has come since lies at the end. */
export function reorder(hand: Arrangement, keys: readonly number[]): Arrangement {
  const place = (slot: Slot) => (keys.includes(slot.key) ? keys.indexOf(slot.key) : keys.length);
  return { ...hand, slots: [...hand.slots].sort((a, b) => place(a) - place(b)) };
}

/** Move a card one visible place to the left or right. */
export function nudge(hand: Arrangement, key: number, by: -1 | 1): Arrangement {
  const visible = inHand(hand);
  const neighbour = visible[visible.findIndex((slot) => slot.key === key) + by];
  return neighbour ? moveTo(hand, key, neighbour.key) : hand;
}

/** The selection becomes one meld of the tray. `extra` joins it, as a pending Joker does. */
export function toTray(hand: Arrangement, extra: readonly number[] = []): Arrangement {
  const meld = [...hand.selected, ...extra];
  return meld.length === 0 ? hand : { ...hand, selected: [], tray: [...hand.tray, meld] };
}

/** The chosen cards move to a meld of the tray, or become a new one; they leave the one where they were. */
export function regroup(hand: Arrangement, to: number | null): Arrangement {
  const keys = hand.selected;
  const tray = hand.tray.map((meld) => meld.filter((key) => !keys.includes(key)));
  const target = to === null ? tray.length : to;
  tray[target] = [...(tray[target] ?? []), ...keys];
  return { ...hand, selected: [], tray: tray.filter((meld) => meld.length > 0) };
}

/** The chosen cards leave the tray, but for those that lie on the table. */
export function backToHand(hand: Arrangement): Arrangement {
  const fixed = hand.base.flat();
  const away = (key: number) => hand.selected.includes(key) && !fixed.includes(key);
  const tray = hand.tray.map((meld) => meld.filter((key) => !away(key))).filter((meld) => meld.length > 0);
  return { ...hand, selected: [], tray };
}

/** The tray becomes what lies on the table. */
export function resetTray(hand: Arrangement): Arrangement {
  return { ...hand, selected: [], tray: hand.base };
}

/** A proposal for the whole tray, by its cards. None at all says that nothing can be laid: the table stays as it lies. */
export function proposeTray(hand: Arrangement, melds: readonly (readonly Placed[])[]): Arrangement {
  if (melds.length === 0) return resetTray(hand);
  const free = [...hand.slots, ...hand.extra];
  const tray = melds.map((cards) =>
    cards.flatMap((card) => {
      const at = free.findIndex((slot) => slot.card === faceOf(card));
      return at < 0 ? [] : free.splice(at, 1).map((slot) => slot.key);
    }),
  );
  return { ...hand, selected: [], tray };
}

/** A meld of the tray goes back to the hand. */
export function takeBack(hand: Arrangement, index: number): Arrangement {
  return { ...hand, tray: hand.tray.filter((_, at) => at !== index) };
}

/** The cards shown in the hand: those in the tray have left it. */
export function inHand(hand: Arrangement): Slot[] {
  const away = new Set(hand.tray.flat());
  return hand.slots.filter((slot) => !away.has(slot.key));
}

export function slotOf(hand: Arrangement, key: number): Slot | undefined {
  return [...hand.slots, ...hand.extra].find((slot) => slot.key === key);
}

export function cardsOf(hand: Arrangement, keys: readonly number[]): Card[] {
  return keys.flatMap((key) => slotOf(hand, key)?.card ?? []);
}
