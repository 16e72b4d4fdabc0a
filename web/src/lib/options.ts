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

export const PRESET_NAMES = ['source', 'short', '51-style'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];
/** Ways to play that have a name, by what differs from the source of the rules. *Play now* is the short one. */
export const PRESETS: Readonly<Record<PresetName, Readonly<Record<string, OptionValue>>>> = {
  source: {},
  short: { target: 100, max_hands: 8 },
  '51-style': {
    hand_size: 14,
    opening_points: 51,
    must_open_before_layoff: 'on',
    must_discard_to_finish: 'on',
  },
};

/** The game's own options as a preset has them; those of the house stay. */
export function presetValues(name: PresetName): Record<string, OptionValue> {
  const defaults = Object.entries(KONKEN_OPTIONS).map(([key, spec]) => [key, spec.default]);
  return { ...Object.fromEntries(defaults), ...PRESETS[name] };
}

/** The preset that the values are, if any. */
export function presetOf(values: Readonly<Record<string, OptionValue>>): PresetName | null {
  const is = (name: PresetName) =>
    Object.entries(presetValues(name)).every(([key, value]) => values[key] === value);
  return PRESET_NAMES.find(is) ?? null;
}

/** Whether *Play now* would join a table with these options. */
export function isQuick(options: Readonly<Record<string, OptionValue>>): boolean {
  const wanted = Object.entries(PRESETS.short);
  return (
    wanted.length === Object.keys(options).length && wanted.every(([key, value]) => options[key] === value)
  );
}

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
