import { GAMES } from '../games';
import type { Game, Move, Situation } from '../games/game';
import { app } from '../state/app.svelte';
import type { SortBy } from '../lib/cards';
import { share } from '../lib/share';
import { sort } from '../state/hand';
import type { TableStore } from '../state/table.svelte';
import { Drag } from './drag.svelte';

const HINT_FOR = 5_000;

/** What the parts of the table page share: the buttons as they stand, and what a press or a tap does. */
export class Desk {
  /** What is played; it is loaded with the first frame. */
  game: Game | null = $state.raw(null);
  /** The game could not be loaded. */
  failed = $state(false);
  readonly situation: Situation | null = $derived.by(() =>
    this.table.situation({ t: app.texts, blocked: this.blocked }),
  );
  /** A button that stands as it stood is the same one. */
  readonly bar: readonly Move[] = $derived.by(
    () => (this.#bar = share(this.game && this.situation ? this.game.bar(this.situation) : [], this.#bar)),
  );
  readonly main: string | null = $derived(
    this.game && this.situation ? this.game.main(this.situation, this.bar) : null,
  );
  /** The melds that may be chosen now. */
  readonly targets: readonly number[] = $derived.by(
    () =>
      (this.#targets = share(
        this.game && this.situation ? this.game.targets(this.situation) : [],
        this.#targets,
      )),
  );
  /** Why the button that was pressed does nothing. */
  hint = $state('');
  /** By what the next sort goes; suit and rank take turns. */
  nextSort: SortBy = $state('suit');
  readonly drag = new Drag(this);
  #bar: readonly Move[] = [];
  #targets: readonly number[] = [];
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: TableStore) {
    table.checks.want(() => (this.game && this.situation ? this.game.wantedChecks(this.situation) : []));
  }

  /** Load what the table plays, once it is known. */
  async open(name: keyof typeof GAMES): Promise<void> {
    try {
      this.game ??= await GAMES[name].load();
      this.table.checks.soon();
    } catch {
      this.failed = true;
    }
  }

  get blocked(): Situation['blocked'] {
    if (app.line !== 'open') return 'offline';
    if (this.standIn) return 'stand_in';
    return this.table.sending ? 'sending' : null;
  }

  /** A bot still answers the present question for this player, who has just come back. */
  get standIn(): boolean {
    const { view, you } = this.table.frame ?? {};
    return you != null && (view?.seats[you]?.stand_in ?? false);
  }

  get mayArrange(): boolean {
    return this.table.frame?.you != null && (this.table.about?.house.meld_help ?? 'on') === 'on';
  }

  sort(): void {
    const by = this.nextSort;
    this.table.arrange((hand) => sort(hand, by));
    this.nextSort = by === 'suit' ? 'rank' : 'suit';
  }

  arrange(): void {
    void this.table.arrangeForMe(this.game?.arranged);
  }

  /** The button with this verb, as it stands. */
  move(verb: string): Move | undefined {
    return this.bar.find((one) => one.verb === verb);
  }

  /** What a target says about itself. */
  targetHint(meld: number): string {
    const { game, situation } = this;
    return game && situation && this.targets.includes(meld) ? game.targetHint(situation, meld) : '';
  }

  press(verb: string): void {
    const move = this.move(verb);
    if (!move) return;
    if (!move.enabled) {
      // The second half of a double click explains itself.
      if (this.blocked !== 'sending') this.say(`${move.label}: ${move.detail}`);
      return;
    }
    this.say('');
    if (move.action === null) this.table.armed = verb;
    else this.#act(move.action, move.keys);
  }

  chooseMeld(meld: number): void {
    const choice =
      this.game && this.situation && this.targets.includes(meld)
        ? this.game.choose(this.situation, meld)
        : null;
    if (!choice) this.say(app.texts.act.noFit);
    else if ('hand' in choice) this.table.arrange(() => choice.hand);
    else this.#act(choice.action, choice.keys);
  }

  #act(action: NonNullable<Move['action']>, keys: readonly number[]): void {
    if (action.a === 'add') void this.table.add(action, keys);
    else void this.table.play(action, keys);
  }

  /** What is open to do, or what went wrong: the second line of the status. */
  readonly advice: { readonly text: string; readonly bad: boolean } = $derived.by(() => {
    const t = app.texts;
    const { armed, frame } = this.table;
    const refused = this.table.refusal(t);
    const said = this.table.voices.bubbles[frame?.you ?? -1];
    if (refused) return { text: refused, bad: true };
    if (armed) return { text: t.table.chooseMeld(this.targets.join(', ')), bad: false };
    if (this.hint) return { text: this.hint, bad: false };
    if (this.standIn) return { text: t.table.standInYou, bad: false };
    if (frame?.view.paused) return { text: t.table.paused, bad: false };
    if (!this.situation || frame?.you === null) return { text: t.table.spectator, bad: false };
    if (said !== undefined) return { text: t.quoted(t.phrase(said)), bad: false };
    return { text: this.game?.advice(this.situation) ?? '', bad: false };
  });

  say(text: string): void {
    this.hint = text;
    clearTimeout(this.#hintTimer);
    if (text) this.#hintTimer = setTimeout(() => (this.hint = ''), HINT_FOR);
  }

  close(): void {
    clearTimeout(this.#hintTimer);
  }
}
