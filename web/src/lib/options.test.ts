import { expect, it } from 'vitest';
import { en } from '../i18n/en';
import {
  differing,
  FIRST_OPTIONS,
  isQuick,
  MORE_OPTIONS,
  OPTIONS,
  presetOf,
  PRESET_NAMES,
  presetValues,
  summary,
} from './options';

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

it.each(PRESET_NAMES)('knows the preset %s again', (name) => {
  expect(presetOf({ ...presetValues(name), turn_seconds: 15 })).toBe(name);
  expect(Object.keys(presetValues(name)).every((key) => key in OPTIONS)).toBe(true);
  expect(presetOf({ ...presetValues(name), joker_penalty: 50 })).toBeNull();
});

it('tells the tables that play-now joins', () => {
  expect(isQuick({ target: 100, max_hands: 8 })).toBe(true);
  expect(isQuick({ target: 100 })).toBe(false);
  expect(isQuick({ target: 100, max_hands: 8, packs: 1 })).toBe(false);
});
