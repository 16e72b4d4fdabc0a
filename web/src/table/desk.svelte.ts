import { reason } from '../i18n';
import { signOf } from '../lib/cards';
import { app } from '../state/app.svelte';
import { cardsOf } from '../state/hand';
import { addTo, mainMove, moves, swapIn, type Move, type Situation, type Verb } from '../state/moves';
import type { TableStore } from '../state/table.svelte';

const HINT_FOR = 5_000;

/** What the parts of the table page share: the buttons as they stand, and what a press or a tap does. */
export class Desk {
  readonly situation: Situation | null = $derived.by(() =>
    this.table.situation({ t: app.t, blocked: this.blocked }),
  );
  readonly moves: Record<Verb, Move> | null = $derived(this.situation && moves(this.situation));
  readonly main: Verb | null = $derived(this.moves && mainMove(this.moves));
  /** Why the button that was pressed does nothing. */
  hint = $state('');
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: TableStore) {
    table.wants(() => this.situation);
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

  /** The melds that may be chosen now. */
  get targets(): readonly number[] {
    if (!this.moves) return [];
    const { add, swap } = this.moves;
    if (this.table.armed) return this.moves[this.table.armed].targets;
    return [...(add.enabled ? add.targets : []), ...(swap.enabled ? swap.targets : [])];
  }

  /** What a target says about itself. */
  targetHint(meld: number): string {
    if (!this.moves || !this.targets.includes(meld)) return '';
    if (this.table.armed !== 'swap' && this.moves.add.targets.includes(meld)) {
      return app.t.table.fits(cardsOf(this.table.hand, this.moves.add.keys).map(signOf).join(' '));
    }
    return app.t.table.takesJoker;
  }

  press(verb: Verb): void {
    const move = this.moves?.[verb];
    if (!move) return;
    if (!move.enabled) {
      // The second half of a double click explains itself.
      if (this.blocked !== 'sending') this.#say(`${move.label}: ${move.detail}`);
      return;
    }
    this.#say('');
    if (move.action === null) this.table.armed = verb === 'swap' ? 'swap' : 'add';
    else if (move.action.a === 'add') void this.table.add(move.action, move.keys);
    else void this.table.play(move.action, move.keys);
  }

  chooseMeld(meld: number): void {
    const situation = this.situation;
    if (!situation || !this.moves || !this.targets.includes(meld)) {
      this.#say(app.t.act.noFit);
      return;
    }
    const { add, swap } = this.moves;
    const swaps = this.table.armed === 'swap' || !add.targets.includes(meld);
    const action = swaps ? swapIn(situation, meld) : addTo(situation, meld);
    if (action?.a === 'add') void this.table.add(action, add.keys);
    else if (action) void this.table.play(action, swap.keys);
  }

  /** What is open to do, or what went wrong: the second line of the status. */
  get advice(): { text: string; bad: boolean } {
    const t = app.t;
    const { armed, frame } = this.table;
    const refused = this.table.refusal(t);
    const said = this.table.voices.bubbles[frame?.you ?? -1];
    const view = frame?.view.hand;
    if (refused) return { text: refused, bad: true };
    if (armed) return { text: t.table.chooseMeld(this.targets.join(', ')), bad: false };
    if (this.hint) return { text: this.hint, bad: false };
    if (this.standIn) return { text: t.table.standInYou, bad: false };
    if (frame?.view.paused) return { text: t.table.paused, bad: false };
    if (!view || frame?.you === null) return { text: t.table.spectator, bad: false };
    if (said !== undefined) return { text: t.log.said(true, t.phrase(said)), bad: false };
    if (view.turn !== frame?.you) return { text: t.table.doWait, bad: false };
    if (view.pending !== null) return { text: t.table.doJoker, bad: false };
    return { text: view.phase === 'draw' ? t.table.doDraw : t.table.doAct, bad: false };
  }

  /** What the tray says: points, or what is missing. */
  get trayWords(): { points: number | null; needed: number | null; why: string } {
    const answer = this.situation && this.table.trayAnswer(this.situation);
    if (!answer || answer.code === 'rate_limited') return { points: null, needed: null, why: '' };
    const detail = answer.detail ?? {};
    if (answer.code === 'opening_too_low') {
      return { points: Number(detail.points ?? 0), needed: Number(detail.needed ?? 0), why: '' };
    }
    const points = answer.t === 'checked' ? (answer.points ?? null) : null;
    return { points, needed: null, why: answer.code ? reason(app.t, answer.code, detail) : '' };
  }

  #say(text: string): void {
    this.hint = text;
    clearTimeout(this.#hintTimer);
    if (text) this.#hintTimer = setTimeout(() => (this.hint = ''), HINT_FOR);
  }

  close(): void {
    clearTimeout(this.#hintTimer);
  }
}
