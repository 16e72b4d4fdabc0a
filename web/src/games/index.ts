import type { TableTexts } from '../i18n';
import { CONKER_OPTIONS, CONQUIAN_OPTIONS, KONKEN_OPTIONS, type About } from '../protocol';
import type { AnyView, Game, GameName, Held } from './game';
import { heldInConker } from './conker/held';
import { heldInConquian } from './conquian/held';
import { heldInKonken } from './konken/held';

export type OptionValue = number | string;
export type Options = Readonly<Record<string, OptionValue | undefined>>;
export interface OptionSpec {
  readonly default: OptionValue;
  readonly choices?: readonly OptionValue[];
  readonly min?: number;
  readonly max?: number | null;
}

/** What is known of a game before it is played: how it is offered, set up and summed up. */
export interface GameRow {
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** What most people want to set; the rest is behind a fold. */
  readonly first: readonly string[];
  /** Its picture in the lobby. */
  readonly cards: readonly [string, string, string];
  /** What its match is played for, in a few words each, the first first: people ask that. It tells the `goal` options. */
  readonly goal: readonly string[];
  told(options: Options, t: TableTexts): readonly string[];
  /** The points that decide the match, where points do. */
  readonly target: boolean;
  /** Whoever leaves a match pays for it, and it is over; else the hand is void, and another may take the seat. */
  readonly leaverPays: boolean;
  held(view: AnyView, you: number | null): Held;
  /** All that it is played with; nobody loads the games that others play. */
  load(): Promise<Game>;
}

const number = (game: GameName, options: Options, key: string) =>
  Number(options[key] ?? GAMES[game].options[key]?.default);

/** A duel is won with one card more on the table than was dealt. */
const toMeld = (options: Options) => number('conquian', options, 'deal') + 1;

/** Every game there is; this order is the lobby's. */
export const GAMES: Readonly<Record<GameName, GameRow>> = {
  konken: {
    options: KONKEN_OPTIONS,
    first: ['target', 'max_hands'],
    cards: ['7C', 'JK', '7D'],
    goal: ['target'],
    told: (options, t) => [t.table.target(number('konken', options, 'target'))],
    target: true,
    leaverPays: false,
    held: heldInKonken,
    load: async () => (await import('./konken')).konken,
  },
  conker: {
    options: CONKER_OPTIONS,
    first: ['players', 'target', 'max_hands', 'joker_close_double'],
    cards: ['AS', 'AH', 'AC'],
    goal: ['target', 'opening_points'],
    told: (options, t) => [
      t.conker.opensAt(number('conker', options, 'opening_points')),
      t.table.target(number('conker', options, 'target')),
    ],
    target: true,
    leaverPays: false,
    held: heldInConker,
    load: async () => (await import('./conker')).conker,
  },
  conquian: {
    options: CONQUIAN_OPTIONS,
    first: ['wins', 'stake', 'deal', 'exchange'],
    cards: ['6D', '7D', 'JD'],
    goal: ['wins', 'stake', 'deal'],
    told: (options, t) => [
      t.conquian.toMeld(toMeld(options)),
      t.conquian.wins(number('conquian', options, 'wins')),
      t.conquian.stake(number('conquian', options, 'stake')),
    ],
    target: false,
    leaverPays: true,
    held: heldInConquian,
    load: async () => (await import('./conquian')).conquian,
  },
};

/** Games have the same name in every language. */
export function nameOf(game: GameName): string {
  return game.charAt(0).toUpperCase() + game.slice(1);
}

export const GAME_NAMES = Object.keys(GAMES) as GameName[];

/** The options of a table as plain values. */
export function optionsOf(about: Pick<About, 'options'>): Options {
  const { game: _, ...options } = about.options;
  return options;
}

/** An option of a table, the default where nothing else was chosen. */
export function optionOf(about: Pick<About, 'game' | 'options'>, key: string): number {
  return number(about.game, optionsOf(about), key);
}

/** How many melded cards win a duel at a table, or at any where nothing else was chosen. */
export function cardsToMeld(about: Pick<About, 'options'> | null): number {
  return toMeld(about ? optionsOf(about) : {});
}

/** The points that decide the match; null where it is not points. */
export function targetOf(about: Pick<About, 'game' | 'options'>): number | null {
  return GAMES[about.game].target ? optionOf(about, 'target') : null;
}
