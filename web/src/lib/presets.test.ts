import { describe, expect, it } from 'vitest';
import { GAME_NAMES } from '../games';
import { en } from '../i18n/fixtures';
import { defaultsOf, specsOf } from './options';
import { differing, firstOptions, isQuick, moreOptions, presetOf, presetsOf, presetValues } from './presets';

describe.each(GAME_NAMES)('%s', (game) => {
  it('offers every option once', () => {
    expect([...firstOptions(game), ...moreOptions(game)].sort()).toEqual(Object.keys(specsOf(game)).sort());
  });

  it('knows its presets again', () => {
    for (const name of Object.keys(presetsOf(game))) {
      expect(presetOf(game, { ...presetValues(game, name), turn_seconds: 15 })).toBe(name);
      expect(Object.keys(presetValues(game, name)).every((key) => key in specsOf(game))).toBe(true);
    }
    expect(differing(game, defaultsOf(game))).toEqual({});
  });

  it('words every preset', () => {
    const words: Record<string, { name: string; hint: string }> = en.home.presets[game];
    expect(Object.keys(words)).toEqual(Object.keys(presetsOf(game)));
  });
});

it('sends what differs', () => {
  expect(differing('konken', { target: 100, packs: 2, bots: 'off' })).toEqual({ target: 100, bots: 'off' });
});

it('tells the tables that play-now joins', () => {
  expect(isQuick('konken', { target: 100, max_hands: 8 })).toBe(true);
  expect(isQuick('konken', { target: 100 })).toBe(false);
  expect(isQuick('konken', { target: 100, max_hands: 8, packs: 1 })).toBe(false);
  expect(isQuick('conquian', { wins: 2 })).toBe(true);
});
