import { expect, it } from 'vitest';
import { GAME_NAMES } from '../games';
import { LANGUAGES, type Lang } from '../i18n';
import { defaultsOf, specsOf } from '../lib/options';
import { loadRules } from './index';

const LANGS = Object.keys(LANGUAGES) as Lang[];
/** Options that say nothing about how the game is played, or where the words say it all. */
const SILENT = ['turn_seconds', 'grace_seconds', 'absent', 'meld_help', 'bots', 'tie'];

it.each(LANGS)('%s tells as much as English, and shows every option', async (lang) => {
  const [own, english] = await Promise.all([loadRules(lang), loadRules('en')]);
  expect(own.traps).toHaveLength(english.traps.length);
  for (const game of GAME_NAMES) {
    const standard = defaultsOf(game);
    const shape = (text: typeof own) => text.games[game](standard).map((section) => section.length);
    expect(shape(own)).toEqual(shape(english));
    const plain = JSON.stringify(own.games[game](standard));
    expect(plain).not.toMatch(/undefined|NaN/);
    for (const [key, spec] of Object.entries(specsOf(game))) {
      if (SILENT.includes(key)) continue;
      const other = spec.choices?.find((value) => value !== spec.default) ?? 7;
      expect(JSON.stringify(own.games[game]({ ...standard, [key]: other })), `${game} ${key}`).not.toBe(
        plain,
      );
    }
  }
});
