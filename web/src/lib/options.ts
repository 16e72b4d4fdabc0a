import { GAMES, optionsOf, type Options, type OptionSpec, type OptionValue } from '../games';
import type { GameName } from '../games/game';
import type { Messages, TableTexts } from '../i18n';
import { HOUSE_OPTIONS, PRESETS, type About } from '../protocol';

export type { OptionSpec, OptionValue };
type Values = Readonly<Record<string, OptionValue>>;

/** Every option of a table, the game's own and those of the house, as the server defines them. */
export function specsOf(game: GameName): Readonly<Record<string, OptionSpec>> {
  return { ...GAMES[game].options, ...HOUSE_OPTIONS };
}

/** What most people want to set; the rest is behind a fold. */
export function firstOptions(game: GameName): readonly string[] {
  return [...GAMES[game].first, 'turn_seconds', 'grace_seconds', 'absent'];
}

export function moreOptions(game: GameName): readonly string[] {
  return Object.keys(specsOf(game)).filter((key) => !firstOptions(game).includes(key));
}

export function defaultsOf(game: GameName): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(specsOf(game)).map(([key, spec]) => [key, spec.default]));
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

/** Options in a few words, as on a row of the lobby. What a match is for is always told: people ask that first. */
export function summary(game: GameName, options: Options, t: Messages): string {
  const row = GAMES[game];
  const seconds = options.turn_seconds ?? HOUSE_OPTIONS.turn_seconds.default;
  const others = Object.entries(options).flatMap(([key, value]) =>
    row.goal.includes(key) || key === 'turn_seconds' || value === undefined
      ? []
      : [`${t.option(key)}: ${t.value(key, value)}`],
  );
  return [...row.told(options, t), t.value('turn_seconds', seconds), ...others].join(' · ');
}

/** What a table plays to, in a few words each. */
export function goalOf(about: About, t: TableTexts): readonly string[] {
  return GAMES[about.game].told(optionsOf(about), t);
}
