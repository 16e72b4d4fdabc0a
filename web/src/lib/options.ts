import { GAMES, optionsOf, type Options, type OptionSpec, type OptionValue } from '../games';
import type { GameName } from '../games/game';
import type { Messages, TableTexts } from '../i18n';
import { HOUSE_OPTIONS, type About } from '../protocol';

export type { OptionSpec, OptionValue };

/** Every option of a table, the game's own and those of the house, as the server defines them. */
export function specsOf(game: GameName): Readonly<Record<string, OptionSpec>> {
  return { ...GAMES[game].options, ...HOUSE_OPTIONS };
}

export function defaultsOf(game: GameName): Record<string, OptionValue> {
  return Object.fromEntries(Object.entries(specsOf(game)).map(([key, spec]) => [key, spec.default]));
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
