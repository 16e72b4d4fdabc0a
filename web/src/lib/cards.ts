import type { Card, Placed } from '../protocol';

export type SuitLetter = 'S' | 'H' | 'D' | 'C';
export const JOKER = 'JK';
const RANKS = 'A23456789TJQK';
// Black and red in turn, so that neighbours in a sorted hand are told apart at a glance.
const SUIT_ORDER = 'SHCD';
const SIGNS: Record<SuitLetter, string> = { S: '♠', H: '♥', D: '♦', C: '♣' };

export function isJoker(card: Placed): boolean {
  return card.startsWith(JOKER);
}

/** The card as it lies in a hand: a placed Joker without its role. */
export function faceOf(card: Placed): Card {
  return isJoker(card) ? JOKER : card;
}

/** What a placed Joker stands for, if that is settled. */
export function roleOf(card: Placed): Card | null {
  return isJoker(card) && card.length > JOKER.length ? card.slice(JOKER.length + 1) : null;
}

/** The suit of a natural card. */
export function suitOf(card: Card): SuitLetter {
  return card.charAt(1) as SuitLetter;
}

/** The rank as it is printed: `10` for `T`. */
export function rankOf(card: Card): string {
  return card.startsWith('T') ? '10' : card.charAt(0);
}

/** A card in running text: `10♥`, `★` for a Joker. */
export function signOf(card: Placed): string {
  return isJoker(card) ? '★' : rankOf(card) + SIGNS[suitOf(card)];
}

export function isRed(card: Placed): boolean {
  return !isJoker(card) && 'HD'.includes(suitOf(card));
}

export type SortBy = 'suit' | 'rank';

function sortKey(card: Card, by: SortBy): number {
  if (isJoker(card)) return 999;
  const suit = SUIT_ORDER.indexOf(suitOf(card));
  const rank = RANKS.indexOf(card.charAt(0));
  return by === 'suit' ? suit * 20 + rank : rank * 20 + suit;
}

/** Order for a sort of the hand; Jokers go to the right. */
export function compareCards(by: SortBy): (left: Card, right: Card) => number {
  return (left, right) => sortKey(left, by) - sortKey(right, by);
}
