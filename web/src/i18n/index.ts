import type { Code } from '../protocol';
import type { Messages, OtherTexts } from './en';
import type { Detail, TableTexts } from './table/en';

export type { Detail, Messages, OtherTexts, TableTexts };
/** What is there at any time: the words of a table, and the others once they have come. */
export type Texts = TableTexts & Partial<OtherTexts>;

/** The languages by their own names. */
export const LANGUAGES = { en: 'English', tr: 'Türkçe', id: 'Bahasa Indonesia', es: 'Español' } as const;
export type Lang = keyof typeof LANGUAGES;

// Each language is files of its own: nobody loads the texts that others read, nor waits at a table for those of the lobby.
const CATALOGUES: Record<Lang, readonly [() => Promise<TableTexts>, () => Promise<OtherTexts>]> = {
  en: [async () => (await import('./table/en')).en, async () => (await import('./en')).en],
  tr: [async () => (await import('./table/tr')).tr, async () => (await import('./tr')).tr],
  id: [async () => (await import('./table/id')).id, async () => (await import('./id')).id],
  es: [async () => (await import('./table/es')).es, async () => (await import('./es')).es],
};

/** What a table says, and every page. */
export function loadTableTexts(lang: Lang): Promise<TableTexts> {
  return CATALOGUES[lang][0]();
}

/** What is read beside a hand. */
export function loadOtherTexts(lang: Lang): Promise<OtherTexts> {
  return CATALOGUES[lang][1]();
}

export function isLang(value: unknown): value is Lang {
  return typeof value === 'string' && value in LANGUAGES;
}

/** The first language of the browser that there is a catalogue for. */
export function preferredLang(wanted: readonly string[]): Lang {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLang) ?? 'en';
}

/** A name within a sentence: its letters may run the other way, those around it do not. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** A refusal in full; in a few words as long as the full ones are not there. */
export function explain(t: Texts, code: Code, detail: Detail = {}): string {
  return (t.codes?.[code] ?? t.why[code])?.(detail) ?? t.table.refused;
}

/** A refusal in the few words that fit under a button. A code that has none there was not foreseen by any button. */
export function reason(t: Texts, code: Code, detail: Detail = {}): string {
  return (t.why[code] ?? t.codes?.[code] ?? t.why.wrong_phase)(detail);
}

/** Points with a sign in both directions: `+58`, `−23`, `0`. */
export function signed(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}

/** The class of points: won or lost; none for neither. */
export function colour(points: number): 'pos' | 'neg' | '' {
  return points > 0 ? 'pos' : points < 0 ? 'neg' : '';
}
