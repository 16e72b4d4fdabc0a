import { describe, expect, it } from 'vitest';
import { CODES, CONKER_OPTIONS, CONQUIAN_OPTIONS, HOUSE_OPTIONS, KONKEN_OPTIONS } from '../protocol';
import type { OptionSpec } from '../games';
import { en as enOthers } from './en';
import { en, es, id, tr } from './fixtures';
import { en as enTable } from './table/en';
import { explain, preferredLang, reason, signed, type Messages } from './index';

const INDONESIAN = import.meta.glob<string>(['./id.ts', './*/id.ts', '../rules/id.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const OPTIONS = [KONKEN_OPTIONS, CONKER_OPTIONS, CONQUIAN_OPTIONS, HOUSE_OPTIONS].flatMap((options) =>
  Object.entries<OptionSpec>(options),
);

describe.each(Object.entries<Messages>({ en, tr, id, es }))('%s', (_lang, t) => {
  it('words every refusal', () => {
    for (const code of CODES) {
      expect(explain(t, code)).toMatch(/\S/);
      expect(reason(t, code)).toMatch(/\S/);
    }
    expect(explain(t, 'opening_too_low', { points: 38, needed: 51 })).toMatch(/38/);
    expect(reason(t, 'opening_too_low', { points: 38, needed: 51 })).toMatch(/51/);
  });

  it('names every option and every value that is not a number', () => {
    for (const [key, spec] of OPTIONS) {
      expect(t.option(key)).not.toBe(key);
      const choices = spec.choices ?? [0];
      for (const value of choices) expect(t.value(key, value)).not.toMatch(/_|^(off|on|)$/);
    }
  });

  it('has the same reasons under buttons as English', () => {
    expect(Object.keys(t.why).sort()).toEqual(Object.keys(en.why).sort());
  });

  it('words every phrase, each differently', () => {
    const phrases = Array.from({ length: 10 }, (_, id) => t.phrase(id));
    expect(new Set(phrases).size).toBe(10);
    expect(phrases.every((phrase) => phrase.length > 2 && phrase.length < 30)).toBe(true);
  });

  it('tells the suits apart by their first two letters', () => {
    const suits = ['S', 'H', 'D', 'C'].map((suit) =>
      t
        .card('7', suit)
        .replace(/7| of | de /g, '')
        .trim()
        .slice(0, 2),
    );
    expect(new Set(suits).size).toBe(4);
  });
});

it('speaks to everybody alike in Indonesian: as Anda, never as kamu', () => {
  for (const source of Object.values(INDONESIAN)) expect(source).not.toMatch(/\bkamu\b|[a-z]mu\b/i);
});

it('chooses the language of the browser', () => {
  expect(preferredLang(['nn-NO', 'id-ID', 'en'])).toBe('id');
  expect(preferredLang(['xx'])).toBe('en');
});

it('writes a real minus and a sign in both directions', () => {
  expect([signed(58), signed(-23), signed(0)]).toEqual(['+58', '−23', '0']);
});

it('has each text in one place: what a table says is not said by the others', () => {
  expect(Object.keys(enOthers).filter((key) => key in enTable)).toEqual([]);
});

it('has a few words under a button while only a table’s texts are there', () => {
  expect(reason(enTable, 'rate_limited')).toBe('not now');
  expect(reason(enTable, 'locked')).toBe('lay a meld first');
  expect(reason(en, 'rate_limited')).toBe('That was too fast. Try again in a moment.');
});

it('quotes as each language does', () => {
  expect([en, tr, id, es].map((t) => t.quoted('…'))).toEqual(['“…”', '“…”', '“…”', '«…»']);
});
