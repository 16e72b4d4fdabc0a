import type { Code } from '../protocol';
import type { Detail, Messages } from './en';

export type { Detail, Messages };

/** The languages by their own names. */
export const LANGUAGES = { en: 'English', tr: 'Türkçe', id: 'Bahasa Indonesia', es: 'Español' } as const;
export type Lang = keyof typeof LANGUAGES;

// Each language is a file of its own: nobody loads the texts that others read.
const CATALOGUES: Record<Lang, () => Promise<Messages>> = {
  en: async () => (await import('./en')).en,
  tr: async () => (await import('./tr')).tr,
  id: async () => (await import('./id')).id,
  es: async () => (await import('./es')).es,
};

export function loadMessages(lang: Lang): Promise<Messages> {
  return CATALOGUES[lang]();
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

/** A refusal in full. */
export function explain(t: Messages, code: Code, detail: Detail = {}): string {
  return t.codes[code](detail);
}

/** A refusal in the few words that fit under a button. */
export function reason(t: Messages, code: Code, detail: Detail = {}): string {
  return (t.why[code] ?? t.codes[code])(detail);
}

/** Points with a sign in both directions: `+58`, `−23`, `0`. */
export function signed(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}
