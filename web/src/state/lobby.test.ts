import { expect, it } from 'vitest';
import type { LobbyRow } from '../protocol';
import { LobbyStore } from './lobby.svelte';

const row = (table: string, v: number, more: Partial<LobbyRow> = {}): LobbyRow => ({
  table,
  v,
  game: 'konken',
  options: {},
  phase: 'open',
  hand_no: 0,
  seats: [null],
  ...more,
});
const seen = (lobby: LobbyStore) => lobby.listed.map((one) => `${one.table}${one.v}`);

it('keeps the newer version of a row, and the place of each', () => {
  const lobby = new LobbyStore();
  lobby.receive({ t: 'lobby', full: true, rows: [row('a', 3), row('b', 5)] });
  lobby.receive({ t: 'lobby', rows: [row('b', 4), row('a', 4), row('c', 1)] });
  expect(seen(lobby)).toEqual(['a4', 'b5', 'c1']);
});

it('shows no more what has gone, until it is told of again', () => {
  const lobby = new LobbyStore();
  lobby.receive({ t: 'lobby', full: true, rows: [row('a', 3), row('b', 1)] });
  lobby.receive({ t: 'lobby', rows: [row('c', 1)], gone: ['a'], more: 1 });
  expect([seen(lobby), lobby.more]).toEqual([['b1', 'c1'], 1]);
  lobby.receive({ t: 'lobby', rows: [row('a', 3)] });
  expect([seen(lobby), lobby.more]).toEqual([['b1', 'c1', 'a3'], 0]);
});

it('takes a snapshot as it is', () => {
  const lobby = new LobbyStore();
  expect(lobby.loaded).toBe(false);
  lobby.receive({ t: 'lobby', full: true, rows: [row('a', 3), row('b', 1)] });
  lobby.receive({ t: 'lobby', full: true, rows: [row('b', 2)] });
  expect([lobby.loaded, seen(lobby)]).toEqual([true, ['b2']]);
});

it('lists tables with a free seat first', () => {
  const lobby = new LobbyStore();
  const [playing, between] = [row('a', 1, { phase: 'playing' }), row('c', 1, { phase: 'between' })];
  lobby.receive({ t: 'lobby', full: true, rows: [playing, row('b', 1), between] });
  expect(seen(lobby)).toEqual(['b1', 'c1', 'a1']);
});

it('keeps the own tables until they are told anew', () => {
  const lobby = new LobbyStore();
  const own = [{ table: 'a', game: 'konken', phase: 'playing', hand_no: 1, your_turn: true }] as const;
  lobby.receive({ t: 'lobby', full: true, rows: [], own });
  lobby.receive({ t: 'lobby', rows: [row('a', 1)] });
  expect(lobby.own).toEqual(own);
  lobby.receive({ t: 'lobby', rows: [], own: [] });
  expect(lobby.own).toEqual([]);
});
