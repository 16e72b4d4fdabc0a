import type { Code } from '../protocol';
import { en, type Detail } from './en';
import { tr } from './tr';

/** Every text of the client. A language that lacks one does not compile. */
export type Messages = typeof en;
export type { Detail };

export const LANGUAGES = { en, tr } satisfies Record<string, Messages>;
export type Lang = keyof typeof LANGUAGES;

export function isLang(value: unknown): value is Lang {
  return typeof value === 'string' && value in LANGUAGES;
}

/** The first language of the browser that there is a catalogue for. */
export function preferredLang(wanted: readonly string[]): Lang {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLang) ?? 'en';
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
