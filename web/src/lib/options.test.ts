import { expect, it } from 'vitest';
import { en } from '../i18n/en';
import { differing, FIRST_OPTIONS, MORE_OPTIONS, OPTIONS, summary } from './options';

it('offers every option once', () => {
  expect([...FIRST_OPTIONS, ...MORE_OPTIONS].sort()).toEqual(Object.keys(OPTIONS).sort());
});

it('sends what differs', () => {
  expect(differing({ target: 100, packs: 2, bots: 'off' })).toEqual({ target: 100, bots: 'off' });
});

it('sums up a table', () => {
  expect(summary({}, en)).toBe('target 500 · 30 s');
  expect(summary({ target: 100, turn_seconds: 0, bots: 'off' }, en)).toBe('target 100 · no clock · Bots: no');
});
