import type { Messages } from '../i18n';
import { HOUSE_OPTIONS, KONKEN_OPTIONS } from '../protocol';

export type OptionValue = number | string;
export interface OptionSpec {
  readonly default: OptionValue;
  readonly choices?: readonly OptionValue[];
  readonly min?: number;
  readonly max?: number | null;
}

/** Every option of a table, the game's own and those of the house, as the server defines them. */
export const OPTIONS: Readonly<Record<string, OptionSpec>> = { ...KONKEN_OPTIONS, ...HOUSE_OPTIONS };
/** What most people want to set; the rest is behind a fold. */
export const FIRST_OPTIONS = ['target', 'max_hands', 'turn_seconds', 'grace_seconds', 'absent'];
export const MORE_OPTIONS = Object.keys(OPTIONS).filter((key) => !FIRST_OPTIONS.includes(key));

/** The chosen values that differ from the defaults: all that is sent. */
export function differing(values: Readonly<Record<string, OptionValue>>): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => OPTIONS[key]?.default !== value));
}

/** Options in a few words, as on a row of the lobby. The target is always told, it is what people ask first. */
export function summary(options: Readonly<Record<string, OptionValue>>, t: Messages): string {
  const named = (key: string) => `${t.option(key)}: ${t.value(key, options[key] as OptionValue)}`;
  const target = Number(options.target ?? OPTIONS.target?.default);
  const seconds = options.turn_seconds ?? (OPTIONS.turn_seconds?.default as number);
  const others = Object.keys(options).filter((key) => key !== 'target' && key !== 'turn_seconds');
  return [t.table.target(target), t.value('turn_seconds', seconds), ...others.map(named)].join(' · ');
}
