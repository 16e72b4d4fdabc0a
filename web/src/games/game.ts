import type { Component } from 'svelte';
import type { Messages, TableTexts, Texts } from '../i18n';
import type {
  About,
  AnyAction,
  Card,
  Checked,
  Frame,
  Legal,
  Placed,
  Quick,
  Refusal,
  Result,
  TableView,
} from '../protocol';
import type { Arrangement, Slot } from '../state/hand';
import type { Desk } from '../table/desk.svelte';

export type GameName = Quick['game'];
export type AnyView = NonNullable<TableView['hand']>;

/** What a player may use besides the cards of the hand, and what the table wants the tray to be. */
export interface Held {
  /** Cards that belong to an action but to no hand: a Joker that waits, one's own table, the card in the centre. */
  readonly extra: readonly Slot[];
  /** The tray as the table has it, where melds on the table are arranged in it. */
  readonly base?: readonly (readonly number[])[];
  /** The card that has just come to this player's hand. */
  readonly came: Card | null;
  readonly yours: boolean;
}

/** One button of the action bar. It never moves; what it cannot do it says. */
export interface Move {
  readonly verb: string;
  readonly label: string;
  readonly detail: string;
  readonly enabled: boolean;
  /** What a press sends; null while a meld must be chosen first. */
  readonly action: AnyAction | null;
  /** The melds that may be chosen. */
  readonly targets: readonly number[];
  /** The cards it would take from the hand. */
  readonly keys: readonly number[];
}

/** Everything that buttons and felt follow from. */
export interface Situation<View extends AnyView = AnyView> {
  readonly view: View;
  readonly you: number | null;
  readonly legal: Legal | null;
  readonly hand: Arrangement;
  readonly about: About | null;
  /** Names by seat. */
  readonly names: readonly string[];
  /** A verb that waits for its meld. */
  readonly armed: string | null;
  /** What the server answered to a dry run of this action, if it has. */
  readonly checked: (action: AnyAction) => Checked | Refusal | undefined;
  /** Nothing can be sent now: an order is under way, the line is broken, or a bot plays. */
  readonly blocked: 'sending' | 'offline' | 'stand_in' | null;
  readonly t: Texts;
}

/** What a tap on a meld does: a move, or another arrangement of one's own cards. */
export type Choice =
  { readonly action: AnyAction; readonly keys: readonly number[] } | { readonly hand: Arrangement };

/** What one game is on the screen. Everything else is the same for all of them. */
export interface Game {
  /** The key of each verb. */
  readonly keys: Readonly<Record<string, string>>;
  /** Whether the order of choosing matters, so that it is shown. */
  readonly ordered: boolean;
  /** Whether cards wear the mark of their colour. */
  readonly marks: boolean;
  /** Whether chosen cards go to a tray first. */
  readonly tray: boolean;
  /** The action bar, left to right: the same places all the time. */
  bar(s: Situation): readonly Move[];
  /** The one filled button: what most players want to do now. */
  main(s: Situation, bar: readonly Move[]): string | null;
  /** The dry runs whose answers the screen would like to have. */
  wantedChecks(s: Situation): readonly AnyAction[];
  /** The melds that may be chosen now. */
  targets(s: Situation): readonly number[];
  /** What a target says about itself. */
  targetHint(s: Situation, meld: number): string;
  choose(s: Situation, meld: number): Choice | null;
  /** One's own cards as the server has proposed them. */
  arranged(hand: Arrangement, melds: readonly (readonly Placed[])[]): Arrangement;
  /** What is open to do, in one line. */
  advice(s: Situation): string;
  /** Where a seat stands in this hand, in a word. */
  standing(
    view: AnyView,
    seat: number,
    t: TableTexts,
  ): { readonly word: string; readonly icon?: string } | null;
  /** Why a seat got its points. */
  because(result: Result, seat: number, about: About, t: Messages): string;
  /** What lies on the felt. */
  readonly Felt: Component<{ frame: Frame; desk: Desk }>;
}
