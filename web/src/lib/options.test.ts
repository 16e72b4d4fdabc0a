import { expect, it } from 'vitest';
import { GAME_NAMES, GAMES } from '../games';
import { en } from '../i18n/fixtures';
import { summary } from './options';

it.each(GAME_NAMES)('tells what a match of %s is for', (game) => {
  expect(GAMES[game].told({}, en).join()).toMatch(/\d/);
});

it('sums up a table', () => {
  expect(summary('konken', {}, en)).toBe('target 500 · 30 s');
  expect(summary('konken', { target: 100, turn_seconds: 0, bots: 'off' }, en)).toBe(
    'target 100 · no clock · Bots: no',
  );
  expect(summary('conquian', { wins: 2 }, en)).toBe('11 to meld · 2 wins · stake 1 · 30 s');
});
