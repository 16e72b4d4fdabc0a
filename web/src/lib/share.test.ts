import { describe, expect, it } from 'vitest';
import { share } from './share';

describe('what is as it was', () => {
  const then = {
    melds: [
      { id: 1, cards: ['4H', '5H'] },
      { id: 2, cards: ['9S'] },
    ],
    turn: 0,
    last: null,
  };

  it('is the same object', () => {
    expect(share(structuredClone(then), then)).toBe(then);
  });

  it('stays the same object beside what has changed', () => {
    const now = { ...structuredClone(then), turn: 1 };
    now.melds[1]?.cards.push('TS');
    const found = share(now, then);
    expect(found).toEqual(now);
    expect(found.melds[0]).toBe(then.melds[0]);
    expect(found.melds[1]).not.toBe(then.melds[1]);
  });

  it('is not what has become shorter, longer, or of another kind', () => {
    for (const now of [[1, 2], [1], [], {}, { 0: 1, 1: 2, 2: 3 }, null, 'none'])
      expect(share(now, [1, 2, 3])).toEqual(now);
    expect(share([1, 2, 3], [1, 2])).toEqual([1, 2, 3]);
    expect(share({ a: 1, b: undefined }, { a: 1, c: 2 })).toEqual({ a: 1, b: undefined });
    expect(Object.keys(share({ a: 1, b: undefined }, { a: 1, c: 2 }))).toEqual(['a', 'b']);
  });

  it('is nothing where nothing was', () => {
    const now = { cards: ['4H'] };
    expect(share(now, undefined)).toBe(now);
    expect(share(now, null)).toBe(now);
  });
});
