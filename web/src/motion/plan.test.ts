import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../protocol';
import { flightsOf } from './plan';

const from = (events: AnyEvent[], you: number | null = 0) =>
  flightsOf(events, you, ['4H', '5H']).map((flight) => [
    flight.from.places.join('|'),
    flight.to.places.join('|'),
    flight.to.card,
    flight.show,
  ]);

describe('what flies', () => {
  it('is one’s own card, turned over on its way to the hand', () => {
    expect(from([{ e: 'drew', seat: 0, card: '7C' }])).toEqual([['stock', 'hand', '7C', 'turn']]);
  });

  it('is a back where the face is not ours to see', () => {
    expect(from([{ e: 'drew', seat: 2 }])).toEqual([['stock', 'seat-2', null, 'hidden']]);
    expect(from([{ e: 'drew', seat: 0 }], null)).toEqual([['stock', 'seat-0', null, 'hidden']]);
  });

  it('is every card of a meld, from the tray or the hand', () => {
    const laid: AnyEvent = { e: 'laid', seat: 0, meld: 3, cards: ['4H', 'JK=5H', '6H'] };
    expect(from([laid])).toEqual([
      ['tray|hand', 'meld-3', '4H', 'face'],
      ['tray|hand', 'meld-3', 'JK=5H', 'face'],
      ['tray|hand', 'meld-3', '6H', 'face'],
    ]);
    expect(flightsOf([laid], 0, [])[1]?.from.card).toBe('JK');
  });

  it('is a card and the Joker that it sets free, each on an arc of its own', () => {
    const swapped: AnyEvent = {
      e: 'swapped',
      seat: 0,
      meld: 2,
      card: '5H',
      extend: [],
      meld_cards: ['4H', '5H', '6H'],
    };
    const taken: AnyEvent = { e: 'joker_taken', seat: 0, meld: 2 };
    expect(from([swapped])).toEqual([
      ['tray|hand', 'meld-2', '5H', 'face'],
      ['meld-2', 'tray|hand', 'JK', 'face'],
    ]);
    expect(from([swapped, taken])).toEqual([
      ['tray|hand', 'meld-2', '5H', 'face'],
      ['meld-2', 'hand', 'JK', 'face'],
    ]);
    expect(flightsOf([swapped, taken], 0, []).every((flight) => flight.swings)).toBe(true);
    expect(from([swapped], 1)[1]).toEqual(['meld-2', 'seat-0', 'JK', 'face']);
  });

  it('is nothing when there is too much to follow', () => {
    const laid = (meld: number): AnyEvent => ({ e: 'laid', seat: 1, meld, cards: ['4H', '5H', '6H', '7H'] });
    expect(from([laid(1)])).toHaveLength(4);
    expect(from([laid(1), laid(2)])).toEqual([]);
  });

  it('is the whole deal, whatever the number of cards', () => {
    const dealt: AnyEvent = { e: 'dealt', dealer: 3, first: 0, card: 'KD' };
    expect(flightsOf([dealt], 0, Array(16).fill('2S'))).toHaveLength(17);
    expect(from([dealt], null)).toEqual([['stock', 'discard|centre', 'KD', 'turn']]);
  });

  it('is not what one has just arranged oneself', () => {
    const melded: AnyEvent = { e: 'melded', seat: 0, card: '7D', from_hand: ['7S', '7H'], melds: [] };
    expect(from([melded])).toEqual([]);
    expect(from([melded], 1)).toHaveLength(3);
  });
});
