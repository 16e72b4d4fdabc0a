import { GAMES } from '../games';
import type { GameName } from '../games/game';
import { PRESETS } from '../protocol';
import { specsOf, type OptionValue } from './options';

// What a new table may be, for who opens one; nobody waits for it at a table that there is.

type Values = Readonly<Record<string, OptionValue>>;

/** What most people want to set; the rest is behind a fold. */
export function firstOptions(game: GameName): readonly string[] {
  return [...GAMES[game].first, 'turn_seconds', 'grace_seconds', 'absent'];
}

export function moreOptions(game: GameName): readonly string[] {
  return Object.keys(specsOf(game)).filter((key) => !firstOptions(game).includes(key));
}

/** Ways to play that have a name, by what differs from the source of the rules. */
export function presetsOf(game: GameName): Readonly<Record<string, Values>> {
  return PRESETS[game];
}

/** The game's own options as a preset has them; those of the house stay. */
export function presetValues(game: GameName, name: string): Record<string, OptionValue> {
  const defaults = Object.entries(GAMES[game].options).map(([key, spec]) => [key, spec.default]);
  return { ...Object.fromEntries(defaults), ...presetsOf(game)[name] };
}

/** The preset that the values are, if any. */
export function presetOf(game: GameName, values: Values): string | null {
  const is = (name: string) =>
    Object.entries(presetValues(game, name)).every(([key, value]) => values[key] === value);
  return Object.keys(presetsOf(game)).find(is) ?? null;
}

/** Whether *Play now* would join a table with these options. */
export function isQuick(game: GameName, options: Values): boolean {
  const wanted = Object.entries(presetsOf(game).quick ?? {});
  return (
    wanted.length === Object.keys(options).length && wanted.every(([key, value]) => options[key] === value)
  );
}

/** The chosen values that differ from the defaults: all that is sent. */
export function differing(game: GameName, values: Values): Record<string, OptionValue> {
  const specs = specsOf(game);
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => specs[key]?.default !== value));
}
