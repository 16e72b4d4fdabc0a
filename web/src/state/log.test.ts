import { beforeEach, expect, it } from 'vitest';
import { frame, seat } from './fixtures';
import { TableLog } from './log.svelte';

let log: TableLog;
const drew = (at: number) => ({ e: 'drew', seat: at }) as const;
const dealt = { e: 'dealt', dealer: 0, first: 1, card: '2H' } as const;
const told = () => log.entries.map((entry) => entry.event.e);

beforeEach(() => {
  log = new TableLog();
  log.take(frame({ v: 10, events: [dealt, drew(1)] }), null);
});

it('tells once what was missed, also where the same frame brings it as news', () => {
  log.take(
    frame({ v: 14, missed: [drew(2), drew(3)], events: [drew(3), { e: 'seat_back', seat: 0 }] }),
    null,
  );
  expect(told()).toEqual(['dealt', 'drew', 'drew', 'drew', 'seat_back']);
  expect(log.missed).toHaveLength(2);
  log.read();
  log.take(frame({ v: 14, missed: [drew(2), drew(3)] }), null);
  expect(log.missed).toHaveLength(0);
  expect(log.entries).toHaveLength(5);
});

it('begins anew with a hand that was dealt meanwhile', () => {
  log.take(frame({ v: 30, missed: [dealt, drew(1)] }), null);
  expect(told()).toEqual(['dealt', 'drew']);
});

it('forgets what the store has lost', () => {
  log.take(frame({ v: 11, events: [drew(2)] }), null);
  log.take(frame({ v: 10, sync: true }), null, true);
  expect(told()).toEqual([]);
  log.take(frame({ v: 11, events: [drew(3)] }), null);
  expect(told()).toEqual(['drew']);
});

it('names people as they were called when it happened', () => {
  const named = (name: string) => ({ ...frame().view, seats: [seat('Yusuf'), seat(name)] });
  const before = frame({ v: 10, view: named('West') });
  const left = { e: 'left', seat: 1, name: 'West', kind: 'left' } as const;
  log.take(frame({ v: 11, view: named(''), events: [drew(1), left] }), before);
  expect(log.entries.at(-2)?.names[1]).toBe('West');
  log.take(frame({ v: 12, view: named('Ada'), events: [{ e: 'renamed', seat: 1, name: 'Ada' }] }), before);
  expect(log.entries.at(-1)?.names[1]).toBe('West');
});

it('holds what is said', () => {
  log.hear({ t: 'said', table: '0abc', seat: 1, phrase: 4 }, frame({ v: 11 }), 5);
  expect(log.entries.at(-1)).toMatchObject({ at: 5, event: { e: 'said', seat: 1, phrase: 4 } });
  log.take(frame({ v: 12, events: [drew(1)] }), null);
  expect(told().slice(-2)).toEqual(['said', 'drew']);
});

it('lets the oldest go together, not one by one', () => {
  const lengths = Array.from({ length: 200 }, (_, at) => {
    log.take(frame({ v: 11 + at, events: [drew(at % 4)] }), null);
    return log.entries.length;
  });
  const cuts = lengths.filter((length, at) => length < (lengths[at - 1] ?? 0));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(120);
  expect(cuts.length).toBeGreaterThan(1);
  expect(cuts.length).toBeLessThan(10);
  expect(told().at(-1)).toBe('drew');
});

it('knows each line by a number, however many older ones go', () => {
  const numbers = () => log.entries.map((entry) => entry.n);
  log.take(frame({ v: 50, missed: Array.from({ length: 80 }, (_, at) => drew(at % 4)) }), null);
  for (let v = 51; numbers().length < 120; v++) log.take(frame({ v, events: [drew(1)] }), null);
  const before = numbers();
  log.take(frame({ v: 191, events: [drew(2)] }), null);
  expect(before).toHaveLength(120);
  expect(numbers().slice(0, -1)).toEqual(before.slice(-79));
  expect(new Set(numbers()).size).toBe(80);
});

it('numbers anew what was kept over a load of the page', () => {
  for (let v = 11; v < 15; v++) log.take(frame({ v, events: [drew(1)] }), null);
  const next = new TableLog();
  next.restore(log.entries.slice(-3));
  next.take(frame({ v: 15, events: [drew(2)] }), null);
  expect(next.entries.map((entry) => entry.n)).toEqual([0, 1, 2, 3]);
});
