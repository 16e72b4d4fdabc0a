import { describe, expect, it } from 'vitest';
import { en } from '../i18n/fixtures';
import type { Move, Situation } from '../games/game';
import type { Code, KonkenView, Legal } from '../protocol';
import { emptyArrangement } from '../state/hand';
import { Guide, stepOf } from './steps';

const closed = { code: 'wrong_phase' as Code, detail: {} };
const legal = (open: readonly string[]): Legal => ({
  verbs: Object.fromEntries(
    ['draw', 'take', 'lay', 'discard', 'pass', 'meld', 'exchange'].map((verb) => [
      verb,
      open.includes(verb) ? null : closed,
    ]),
  ),
  discard: [],
  add: {},
  swap: {},
});
const situation = (open: readonly string[], hand: Partial<Situation['hand']> = {}): Situation => ({
  view: {} as KonkenView,
  you: 0,
  legal: legal(open),
  hand: { ...emptyArrangement(), ...hand },
  about: null,
  names: [],
  armed: null,
  checked: () => undefined,
  blocked: null,
  t: en,
});
const discard = (enabled: boolean): Move[] => [
  { verb: 'discard', label: '', detail: '', enabled, action: null, targets: [], keys: [] },
];

describe('the step', () => {
  it('follows what is open', () => {
    expect(stepOf(situation(['draw', 'take']), discard(false), true)).toBe(0);
    expect(stepOf(situation(['lay', 'discard']), discard(false), true)).toBe(1);
    expect(stepOf(situation(['lay', 'discard'], { selected: [3] }), discard(true), true)).toBe(2);
    expect(stepOf(situation(['draw']), discard(false), false)).toBeNull();
    expect(stepOf(situation(['exchange']), discard(false), true)).toBeNull();
  });

  it('follows the choice where a card is decided about', () => {
    expect(stepOf(situation(['pass', 'meld']), discard(false), true)).toBe(0);
    expect(stepOf(situation(['pass', 'meld'], { selected: [2] }), discard(false), true)).toBe(1);
    expect(stepOf(situation(['discard'], { selected: [2] }), discard(true), true)).toBe(2);
  });
});

describe('the guide', () => {
  it('goes forward only, and ends with the turn', () => {
    const guide = new Guide();
    guide.see(null);
    expect(guide.done).toBe(false);
    for (const step of [0, 1, 2, 1] as const) guide.see(step);
    expect(guide.step).toBe(2);
    guide.see(null);
    expect(guide.done).toBe(true);
  });

  it('begins again with the next turn where the first ended early, but not for ever', () => {
    const guide = new Guide();
    guide.see(1);
    guide.see(null);
    guide.see(0);
    expect([guide.step, guide.done]).toEqual([0, false]);
    for (let turn = 0; turn < 3; turn++) {
      guide.see(0);
      guide.see(null);
    }
    expect(guide.done).toBe(true);
  });

  it('is gone through by hand as well', () => {
    const guide = new Guide();
    guide.see(0);
    guide.next();
    guide.next();
    expect([guide.step, guide.done]).toEqual([2, false]);
    guide.next();
    expect(guide.done).toBe(true);
  });
});
