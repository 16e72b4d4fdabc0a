import type { Answer, CheckOrder, Order } from '../net/link';
import { randomHex } from '../net/random';
import type { About, Absence, Add, AnyAction, AnyEvent, Checked, Code, Frame, Refusal } from '../protocol';
import * as hands from './hand';
import { layAction, mayChooseEnd, wantedChecks, type Situation } from './moves';
import { readShelf, writeShelf, type Shelf } from './shelf';

/** What the table needs of the line to the server. */
export interface Line {
  order(order: Order): Promise<Answer>;
  check(order: CheckOrder): Promise<Checked | Refusal | null>;
}

export interface LogEntry {
  readonly at: number;
  readonly v: number;
  readonly event: AnyEvent;
}

interface Kept {
  hand: hands.Arrangement;
  log: LogEntry[];
}

const LOG_LENGTH = 80;
/** Several quick choices are one question. The server answers ten a second. */
const CHECK_AFTER = 120;
const NOTICE_FOR = 7_000;

/** One table as this screen sees it: the last frame, and what the player has arranged, chosen and prepared. */
export class TableStore {
  frame: Frame | null = $state.raw(null);
  about: About | null = $state.raw(null);
  gone: Code | null = $state.raw(null);
  hand: hands.Arrangement = $state.raw(hands.emptyArrangement());
  log: readonly LogEntry[] = $state.raw([]);
  /** An order is under way; a second press must not send it again. */
  sending = $state(false);
  /** The last refusal, to be worded. */
  refused: { code: Code; detail: Readonly<Record<string, number | string>> } | null = $state.raw(null);
  /** A verb that waits for its meld. */
  armed: 'add' | 'swap' | null = $state.raw(null);
  /** A Joker that may go to either end. */
  endChoice: Add | null = $state.raw(null);
  #answers: ReadonlyMap<string, Checked | Refusal> = $state.raw(new Map());
  #leaving: readonly number[] = [];
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #shelfKey: string;

  constructor(
    readonly id: string,
    private readonly line: Line,
    private readonly shelf: Shelf,
  ) {
    this.#shelfKey = `upcard.table.${id}`;
    const kept = readShelf<Kept>(shelf, this.#shelfKey);
    if (kept) [this.hand, this.log] = [kept.hand, kept.log];
  }

  /** Take a frame in. It replaces the view; an older one is not worth looking at, unless the store stepped back. */
  receive(frame: Frame): boolean {
    if (this.frame && frame.v < this.frame.v && !frame.sync) return false;
    const before = this.frame;
    this.gone = null;
    this.frame = frame;
    if (frame.about) this.about = frame.about;
    if (before?.decision !== frame.decision) this.#newQuestion();
    this.#arrange(frame);
    this.#remember(frame);
    this.askChecks();
    return true;
  }

  lost(code: Code): void {
    this.gone = code;
  }

  #newQuestion(): void {
    this.armed = null;
    this.endChoice = null;
    this.#answers = new Map();
  }

  #arrange(frame: Frame): void {
    const view = frame.view.hand;
    const cards = view?.hand ?? [];
    const first = this.hand.handNo !== frame.view.hand_no || this.hand.slots.length === 0;
    const pending = view?.pending != null && view.turn === frame.you;
    const leaving = this.#leaving;
    let hand = hands.reconcile(this.hand, frame.view.hand_no, cards, { leaving, pending });
    // A fresh hand is shown in order; from then on the order is the player's.
    if (this.hand.handNo !== frame.view.hand_no) hand = hands.sort(hand, 'suit');
    const came = view?.drawn ?? (view?.turn === frame.you ? view?.taken : null) ?? null;
    if (view?.turn !== frame.you) hand = { ...hand, marked: null };
    else if (first && came) {
      const slot = [...hand.slots].reverse().find((one) => one.card === came);
      hand = { ...hand, marked: slot?.key ?? null };
    }
    this.#set(hand);
  }

  #remember(frame: Frame): void {
    const seen = frame.sync ? -1 : (this.log.at(-1)?.v ?? -1);
    if (frame.v <= seen || !frame.events?.length) return;
    const fresh = frame.events.map((event) => ({ at: frame.now, v: frame.v, event }));
    const dealt = fresh.findIndex((entry) => entry.event.e === 'dealt');
    // The log is of one hand; what came before its deal has been counted.
    this.log = dealt < 0 ? [...this.log, ...fresh].slice(-LOG_LENGTH) : fresh.slice(dealt);
    this.#keep();
  }

  #set(hand: hands.Arrangement): void {
    this.hand = hand;
    this.#keep();
  }

  #keep(): void {
    writeShelf(this.shelf, this.#shelfKey, { hand: this.hand, log: [...this.log] } satisfies Kept);
  }

  // ---- arranging: nothing here is sent ----

  arrange(change: (hand: hands.Arrangement) => hands.Arrangement): void {
    this.#set(change(this.hand));
    this.armed = null;
    this.endChoice = null;
    this.askChecks();
  }

  /** The selection becomes a meld of the tray, with the Joker that waits, if there is one. */
  toTray(): void {
    const view = this.frame?.view.hand;
    const waits = view?.pending != null && view.turn === this.frame?.you;
    const free = waits && !this.hand.tray.flat().includes(hands.PENDING_KEY);
    if (this.hand.selected.length === 0) return;
    this.arrange((hand) => hands.toTray(hand, free ? [hands.PENDING_KEY] : []));
  }

  // ---- asking ----

  checked(action: AnyAction): Checked | Refusal | undefined {
    return this.#answers.get(JSON.stringify(action));
  }

  /** The situation without words and line, as far as dry runs need it. */
  situation(rest: Pick<Situation, 't' | 'blocked'>): Situation | null {
    const frame = this.frame;
    if (!frame?.view.hand) return null;
    return {
      view: frame.view.hand,
      you: frame.you,
      legal: frame.legal,
      hand: this.hand,
      checked: (action) => this.checked(action),
      ...rest,
    };
  }

  /** What the tray is worth, or why it cannot be laid. */
  trayAnswer(situation: Situation): Checked | Refusal | undefined {
    const action = layAction(situation);
    return action ? this.checked(action) : undefined;
  }

  #wanted: () => AnyAction[] = () => [];

  /** Which dry runs the screen wants; set once by the page, which knows the words. */
  wants(situation: () => Situation | null): void {
    this.#wanted = () => {
      const now = situation();
      return now ? wantedChecks(now) : [];
    };
  }

  askChecks(): void {
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => {
      const frame = this.frame;
      if (!frame?.legal) return;
      for (const action of this.#wanted()) {
        if (!this.checked(action)) void this.#ask(action, frame.decision);
      }
    }, CHECK_AFTER);
  }

  async #ask(action: AnyAction, decision: number): Promise<Checked | Refusal | null> {
    const answer = await this.line.check({ table: this.id, decision, action });
    if (answer && this.frame?.decision === decision && answer.code !== 'rate_limited') {
      this.#answers = new Map(this.#answers).set(JSON.stringify(action), answer);
    }
    return answer;
  }

  // ---- acting ----

  /** Play a move. `keys` are the cards it takes, so that of two copies the chosen one goes. */
  async play(action: AnyAction, keys: readonly number[] = []): Promise<void> {
    const frame = this.frame;
    if (!frame || this.sending) return;
    this.#leaving = keys;
    this.armed = null;
    this.endChoice = null;
    const answer = await this.give({ t: 'play', table: this.id, decision: frame.decision, action });
    // The frame may come after the ack, so an accepted move leaves its hint for it.
    if (answer.t === 'refused') this.#leaving = [];
  }

  /** Add; where a Joker might go to either end of a run, ask which. */
  async add(action: Add, keys: readonly number[]): Promise<void> {
    const view = this.frame?.view.hand;
    if (view && action.end == null && mayChooseEnd(action, view)) {
      const decision = this.frame?.decision ?? -1;
      const ends = [
        { ...action, end: 'low' },
        { ...action, end: 'high' },
      ] as const;
      const answers = await Promise.all(ends.map((one) => this.#ask(one, decision)));
      const fit = ends.filter((_, at) => answers[at]?.t === 'checked' && !answers[at]?.code);
      if (fit.length === 2) {
        this.endChoice = action;
        return;
      }
      if (fit[0]) return this.play(fit[0], keys);
    }
    return this.play(action, keys);
  }

  async give(order: Order): Promise<Answer> {
    this.sending = true;
    this.#clearRefusal();
    try {
      const answer = await this.line.order(order);
      if (answer.t === 'refused') this.#refuse(answer);
      return answer;
    } finally {
      this.sending = false;
      this.askChecks();
    }
  }

  ready(on: boolean): Promise<Answer> {
    return this.give({ t: 'ready', table: this.id, on, nonce: on ? randomHex(32) : '' });
  }

  /** The absent seats that this player may still decide about. */
  get decisions(): Absence[] {
    const { view, you } = this.frame ?? {};
    if (!view || you == null) return [];
    return view.absences.filter((one) => one.seat !== you && one.choices.length > 0);
  }

  #refuse({ code, detail = {} }: Refusal): void {
    this.refused = { code, detail };
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => (this.refused = null), NOTICE_FOR);
  }

  say(code: Code): void {
    this.#refuse({ t: 'refused', id: '', code });
  }

  #clearRefusal(): void {
    clearTimeout(this.#noticeTimer);
    this.refused = null;
  }

  close(): void {
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#noticeTimer);
  }
}
