import { expect, it } from 'vitest';
import { handoverPath, parseRoute, sharedPath, tablePath } from './route';

it('reads every address', () => {
  expect(parseRoute('/', '')).toEqual({ page: 'lobby' });
  expect(parseRoute('/t/0abc', '#secret')).toEqual({ page: 'table', id: '0abc', token: 'secret' });
  expect(parseRoute('/t/0abc', '')).toEqual({ page: 'table', id: '0abc', token: null });
  expect(parseRoute('/history', '')).toEqual({ page: 'history', match: null, hand: null });
  expect(parseRoute('/history/m1', '')).toEqual({ page: 'history', match: 'm1', hand: null });
  expect(parseRoute('/history/m1/12', '')).toEqual({ page: 'history', match: 'm1', hand: 12 });
  expect(parseRoute('/history/m1/last', '')).toEqual({ page: 'history', match: 'm1', hand: null });
  expect(parseRoute('/rules/conker', '')).toEqual({ page: 'rules', game: 'conker' });
  expect(parseRoute('/leaderboard/conquian', '')).toEqual({ page: 'leaderboard', game: 'conquian' });
  expect(parseRoute('/leaderboard/chess', '')).toEqual({ page: 'leaderboard', game: 'konken' });
  expect(parseRoute('/replay', '')).toEqual({ page: 'replay', token: '' });
  expect(parseRoute('/handover', '')).toEqual({ page: 'handover', token: '', table: null });
  expect(parseRoute('/nowhere', '')).toEqual({ page: 'lobby' });
});

it('writes the address of a table', () => {
  expect(tablePath('0abc')).toBe('/t/0abc');
  expect(tablePath('0abc', 'secret')).toBe('/t/0abc#secret');
});

it('writes and reads the link of a shared hand, all of it in the fragment', () => {
  const url = new URL(sharedPath('WyJtMSIsM10.a-seal_1'), 'https://cards.example');
  expect(url.pathname + url.search).toBe('/replay');
  expect(parseRoute(url.pathname, url.hash)).toEqual({ page: 'replay', token: 'WyJtMSIsM10.a-seal_1' });
});

it('writes and reads the way to another device, all of it in the fragment', () => {
  for (const table of ['3-abc', null]) {
    const url = new URL(handoverPath('a-token_1', table), 'https://cards.example');
    expect(url.pathname + url.search).toBe('/handover');
    expect(parseRoute(url.pathname, url.hash)).toEqual({ page: 'handover', token: 'a-token_1', table });
  }
});
