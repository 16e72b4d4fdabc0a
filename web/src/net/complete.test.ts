import { describe, expect, it } from 'vitest';
import type { Frame, KonkenView } from '../protocol';
import { frame } from '../state/fixtures';
import { Frames } from './complete';

const told = (v: number, more: object = {}) =>
  ({ t: 'frame', table: 'a', v, now: v, ...more }) as unknown as Frame;

describe('Frames', () => {
  it('keeps what a frame leaves out, and takes what it tells', () => {
    const frames = new Frames();
    const first = frames.complete(frame({ table: 'a', v: 1 }));
    const seats = first.view.seats.map((_, at) => (at === 1 ? { asked: true, deadline: 9 } : {}));
    const second = frames.complete(
      told(2, { view: { paused: true, seats, hand: { stock: 7 } }, decision: 5 }),
    );
    expect(second).toMatchObject({ v: 2, decision: 5, you: first.you, legal: first.legal });
    expect(second.view).toEqual({
      ...first.view,
      paused: true,
      hand: { ...first.view.hand, stock: 7 },
      seats: first.view.seats.map((seat, at) => (at === 1 ? { ...seat, asked: true, deadline: 9 } : seat)),
    });
    expect(first.view.paused).toBe(false);
  });

  it('keeps what is as it was the same object, also where it is told once more', () => {
    const frames = new Frames();
    const meld = { id: 1, kind: 'run', cards: ['5H', '6H', '7H'] };
    const first = frames.complete(frame({ table: 'a' }));
    const hand = { table: [meld], discards: 3 };
    const second = frames.complete(told(2, { view: { seats: first.view.seats.map(() => ({})), hand } }));
    expect(second.view.seats.every((seat, at) => seat === first.view.seats[at])).toBe(true);
    const longer = { ...meld, id: 2, cards: ['9S', '9D', '9C'] };
    const third = frames.complete(told(3, { view: { hand: { table: [structuredClone(meld), longer] } } }));
    expect(third.view.seats).toBe(second.view.seats);
    const [then, now] = [second, third].map(({ view }) => (view.hand as KonkenView).table);
    expect(now).toEqual([meld, longer]);
    expect(now?.[0]).toBe(then?.[0]);
  });

  it('tells lists, and maps within, whole', () => {
    const frames = new Frames();
    frames.complete(
      frame({ table: 'a', legal: { verbs: {}, discard: ['AS', 'KS'], add: { AS: [1] }, swap: {} } }),
    );
    const { legal } = frames.complete(told(2, { legal: { discard: ['KS'], add: { KS: [2] } } }));
    expect(legal).toEqual({ verbs: {}, discard: ['KS'], add: { KS: [2] }, swap: {} });
  });

  it('lets a part go and come back', () => {
    const frames = new Frames();
    const { legal, view } = frames.complete(frame({ table: 'a' }));
    const between = frames.complete(told(2, { legal: null, view: { hand: null } }));
    expect([between.legal, between.view.hand]).toEqual([null, null]);
    const dealt = frames.complete(told(3, { legal, view: { hand: view.hand } }));
    expect([dealt.legal, dealt.view.hand]).toEqual([legal, view.hand]);
  });

  it('does not tell twice what happened', () => {
    const frames = new Frames();
    const events = [{ e: 'drew', seat: 0, card: null }] as const;
    expect(frames.complete(frame({ table: 'a', events, missed: events, sync: true })).events).toEqual(events);
    const next = frames.complete(told(2));
    expect([next.events, next.missed, next.sync]).toEqual([undefined, undefined, undefined]);
  });

  it('keeps tables apart', () => {
    const frames = new Frames();
    frames.complete(frame({ table: 'a', decision: 1 }));
    frames.complete(frame({ table: 'b', decision: 2 }));
    expect(frames.complete(told(3)).decision).toBe(1);
  });
});
