import { describe, expect, it } from 'vitest';
import {
  arrangeMelds,
  type Arrangement,
  cardsOf,
  emptyArrangement,
  inHand,
  isMeldRearranged,
  isRearranged,
  meldsInPlace,
  moveTo,
  nudge,
  PENDING,
  PENDING_KEY,
  reconcile,
  regroup,
  resetTray,
  sort,
  takeBack,
  toggle,
  toTray,
} from './hand';

const faces = (hand: Arrangement) => inHand(hand).map((slot) => slot.card);
const key = (hand: Arrangement, card: string, copy = 0) =>
  hand.slots.filter((slot) => slot.card === card)[copy]?.key as number;
const dealt = (...cards: string[]) => reconcile(emptyArrangement(), '1', cards);

describe('the order of the hand', () => {
  it('survives every update', () => {
    let hand = sort(dealt('7H', '2S', 'KD', 'JK', '2H'), 'suit');
    expect(faces(hand)).toEqual(['2S', '2H', '7H', 'KD', 'JK']);
    hand = moveTo(hand, key(hand, 'JK'), key(hand, '2S'));
    hand = reconcile(hand, '1', ['7H', '2S', 'KD', 'JK', '2H']);
    expect(faces(hand)).toEqual(['JK', '2S', '2H', '7H', 'KD']);
  });

  it('by rank puts equal ranks together', () => {
    expect(faces(sort(dealt('7H', '2S', 'AD', '7C', 'TS'), 'rank'))).toEqual(['AD', '2S', '7H', '7C', 'TS']);
  });

  it('takes a new card at the right end and marks it', () => {
    let hand = sort(dealt('7H', '2S'), 'suit');
    hand = reconcile(hand, '1', ['7H', '2S', '3S']);
    expect(faces(hand)).toEqual(['2S', '7H', '3S']);
    expect(hand.marked).toBe(key(hand, '3S'));
  });

  it('marks nothing when the hand is dealt', () => {
    expect(dealt('7H').marked).toBeNull();
  });

  it('starts anew with a new hand', () => {
    const hand = toggle(dealt('7H', '2S'), 1);
    expect(reconcile(hand, '2', ['7H'])).toMatchObject({ deal: '2', selected: [], slots: [{ card: '7H' }] });
  });

  it('moves a card past the neighbours that are seen, over those in the tray', () => {
    let hand = dealt('2S', '3S', '4S');
    hand = toTray(toggle(hand, key(hand, '3S')));
    hand = nudge(hand, key(hand, '2S'), 1);
    expect(faces(hand)).toEqual(['4S', '2S']);
    expect(nudge(hand, key(hand, '2S'), 1)).toBe(hand);
  });
});

describe('copies of two packs', () => {
  it('are chosen one by one', () => {
    const hand = toggle(dealt('7H', '5C', '7H'), 3);
    expect(cardsOf(hand, hand.selected)).toEqual(['7H']);
    expect(hand.slots.filter((slot) => hand.selected.includes(slot.key))).toHaveLength(1);
  });

  it('go in the order in which they were played', () => {
    const hand = dealt('7H', '5C', '7H');
    const left = key(hand, '7H', 0);
    expect(reconcile(hand, '1', ['5C', '7H'], { leaving: [left] }).slots.map((slot) => slot.key)).toEqual([
      2, 3,
    ]);
    expect(reconcile(hand, '1', ['7H', '5C']).slots.map((slot) => slot.key)).toEqual([1, 2]);
  });

  it('are marked as the one that came', () => {
    const hand = reconcile(dealt('7H', '5C'), '1', ['7H', '5C', '7H']);
    expect(hand.marked).toBe(3);
  });
});

describe('the selection and the tray', () => {
  it('are not disturbed by anything that happens elsewhere', () => {
    let hand = dealt('2S', '3S', '4S', '9H', '9D');
    for (const card of ['2S', '3S', '4S']) hand = toggle(hand, key(hand, card));
    hand = toggle(toTray(hand), key(hand, '9H'));
    const after = reconcile(hand, '1', ['2S', '3S', '4S', '9H', '9D']);
    expect(after.tray).toEqual(hand.tray);
    expect(after.selected).toEqual(hand.selected);
    expect(faces(after)).toEqual(['9H', '9D']);
  });

  it('hold only cards that the server says are held', () => {
    let hand = dealt('2S', '3S', '4S', '9H');
    for (const card of ['2S', '3S', '4S']) hand = toggle(hand, key(hand, card));
    hand = toggle(toTray(hand), key(hand, '9H'));
    expect(reconcile(hand, '1', ['3S', '4S'])).toMatchObject({ selected: [], tray: [[2, 3]] });
    expect(reconcile(hand, '1', [])).toMatchObject({ selected: [], tray: [], marked: null });
  });

  it('take a Joker from the table along', () => {
    let hand = dealt('2S', '3S', '9H');
    hand = toTray(toggle(toggle({ ...hand, extra: [PENDING] }, 1), 2), [PENDING_KEY]);
    expect(cardsOf(hand, hand.tray[0] ?? [])).toEqual(['2S', '3S', 'JK']);
    expect(faces(takeBack(hand, 0))).toEqual(['2S', '3S', '9H']);
    const cards = ['2S', '3S', '9H'];
    expect(reconcile(hand, '1', cards, { extra: [PENDING] }).tray).toEqual([[1, 2, PENDING_KEY]]);
    expect(reconcile(hand, '1', cards).tray).toEqual([[1, 2]]);
  });
});

describe('arranging', () => {
  const hand = dealt('KD', '7H', '2S', '7H', '7C', '3S', 'JK');
  const melds = [
    ['7C', '7H', 'JK=7S'],
    ['2S', '3S', '4S'],
  ];

  it('puts each meld together at the left and leaves the rest in its order', () => {
    const arranged = arrangeMelds(hand, melds.slice(0, 1));
    expect(faces(arranged)).toEqual(['7C', '7H', 'JK', 'KD', '2S', '7H', '3S']);
    expect(meldsInPlace(arranged)).toEqual([[0, 3]]);
  });

  it('takes a meld only where all of it is in the hand', () => {
    expect(arrangeMelds(hand, melds).melds).toHaveLength(1);
    const inTray = toTray(toggle(hand, key(hand, '7C')));
    expect(arrangeMelds(inTray, melds).melds).toEqual([]);
  });

  it('marks a meld as long as it lies together', () => {
    const arranged = arrangeMelds(hand, melds);
    const within = moveTo(arranged, key(arranged, '7C'), key(arranged, 'JK'));
    expect(meldsInPlace(within)).toEqual([[0, 3]]);
    expect(meldsInPlace(moveTo(arranged, key(arranged, '7C'), key(arranged, '3S')))).toEqual([]);
    expect(meldsInPlace(sort(arranged, 'suit'))).toEqual([]);
    expect(meldsInPlace(reconcile(arranged, '1', ['7H', '7C', 'KD']))).toEqual([]);
  });
});

it('knows which melds lie otherwise than on the table', () => {
  const base = [
    [101, 102, 103],
    [104, 105, 106],
  ];
  const extra = base.flat().map((key) => ({ key, card: `${key - 100}S` }));
  const hand = reconcile(emptyArrangement(), 'a', ['9S'], { extra, base });
  expect(isRearranged(hand)).toBe(false);
  const [slot] = hand.slots;
  const added = regroup({ ...hand, selected: [slot?.key as number] }, 1);
  expect([isRearranged(added), isMeldRearranged(added, 0), isMeldRearranged(added, 1)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isMeldRearranged(regroup({ ...hand, selected: [slot?.key as number] }, null), 2)).toBe(true);
  expect(isRearranged(resetTray(added))).toBe(false);
});
