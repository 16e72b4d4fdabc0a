import type { Answer, CheckOrder, Order } from '../net/link';
import { randomHex } from '../net/random';
import type {
  About,
  Absence,
  Add,
  AnyAction,
  Arranged,
  Checked,
  Code,
  Frame,
  Refusal,
  Said,
  SeatView,
} from '../protocol';
import { explain, type Texts } from '../i18n';
import { GAMES } from '../games';
import { share } from '../lib/share';
import type { Game, Situation } from '../games/game';
import { mayChooseEnd } from '../games/floor/ends';
import { Checks } from './checks.svelte';
import * as hands from './hand';
import { TableLog, type LogEntry } from './log.svelte';
import { readShelf, writeShelf, type Shelf } from './shelf';
import { Voices } from './voices.svelte';

/** What the table needs of the line to the server. */
export interface Line {
  order(order: Order): Promise<Answer>;
  check(order: CheckOrder): Promise<Checked | Refusal | null>;
  arrange(table: string): Promise<Arranged | Refusal | null>;
}

/** What a reload must not lose. */
interface Kept {
  hand: hands.Arrangement;
  log: LogEntry[];
  seen: number | null;
  muted: Readonly<Record<number, string>>;
  company: Company | null;
  final: Final | null;
  sentAway: boolean;
}

/** The persons of a table that waits, and since when it has been these. */
interface Company {
  readonly people: string;
  readonly since: number;
}

/** How the seats stood when the match ended: who goes afterwards keeps name and place in the ranking. */
interface Final {
  readonly match: string;
  readonly seats: readonly SeatView[];
  readonly you: number | null;
}

/** What the server did that players should know. */
export type Notice = 'recovered' | 'synced' | 'late';

const REFUSED_FOR = 7_000;
/** So much later a change is kept, unless the page is hidden or left before (ms). */
const KEEP_AFTER = 300;
const NOTICE_FOR: Record<Notice, number> = { recovered: 30_000, synced: 12_000, late: 12_000 };

/** One table as this screen sees it: the last frame, and what the player has arranged, chosen and prepared. */
export class TableStore {
  frame: Frame | null = $state.raw(null);
  about: About | null = $state.raw(null);
  gone: Code | null = $state.raw(null);
  hand: hands.Arrangement = $state.raw(hands.emptyArrangement());
  readonly log = new TableLog();
  readonly voices = new Voices();
  readonly checks: Checks;
  notice: Notice | null = $state.raw(null);
  company: Company | null = $state.raw(null);
  final: Final | null = $state.raw(null);
  /** The host has sent this player away. */
  sentAway = $state(false);
  /** Told of a frame while the last one is still drawn, so that what will move can be looked at. */
  foresee: ((frame: Frame) => void) | null = null;
  #seen: number | null = null;
  /** A watch is not answered yet: what is shown may be old, and the next frame holds, even if its version is an earlier one. */
  awaited = true;
  /** An order is under way; a second press must not send it again. */
  sending = $state(false);
  /** The last refusal, to be worded. */
  refused: { code: Code; detail: Readonly<Record<string, number | string>>; saying?: boolean } | null =
    $state.raw(null);
  /** A verb that waits for its meld. */
  armed: string | null = $state.raw(null);
  /** A Joker that may go to either end. */
  endChoice: Add | null = $state.raw(null);
  #leaving: readonly number[] = [];
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;
  #refusedTimer: ReturnType<typeof setTimeout> | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;
  /** Another store of the same table may have taken its place: what is answered late is nobody's any more. */
  #closed = false;
  readonly #shelfKey: string;

  constructor(
    readonly id: string,
    private readonly line: Line,
    private readonly shelf: Shelf,
  ) {
    this.#shelfKey = `upcard.table.${id}`;
    this.checks = new Checks(id, line, () => this.frame);
    const kept = readShelf<Kept>(shelf, this.#shelfKey);
    if (!kept) return;
    this.hand = kept.hand;
    this.log.restore(kept.log);
    this.#seen = kept.seen;
    this.voices.muted = kept.muted;
    this.company = kept.company;
    this.final = kept.final;
    this.sentAway = kept.sentAway;
  }

  /** The last version that this screen has shown, also before a reload. */
  get seen(): number | null {
    return this.#seen;
  }

  /** Take a frame in. It replaces the view; an older one is not worth looking at, unless the store stepped back. */
  receive(frame: Frame): boolean {
    const before = this.frame;
    const steppedBack = frame.sync || (before !== null && frame.v < before.v);
    if (steppedBack && !frame.sync && !this.awaited) return false;
    this.awaited = false;
    this.foresee?.(frame);
    this.gone = null;
    this.frame = frame;
    if (frame.about) this.about = frame.about;
    if (before?.decision !== frame.decision) this.#newQuestion();
    this.#arrange(frame);
    this.log.take(frame, before, steppedBack);
    this.voices.follow(frame);
    this.#learn(frame, before, steppedBack);
    this.#seen = frame.v;
    this.#keep();
    this.checks.soon();
    return true;
  }

  /** What becomes of the table besides its cards: who waits with whom, who has gone, what the server lost. */
  #learn(frame: Frame, before: Frame | null, steppedBack: boolean): void {
    const { view, events = [], you } = frame;
    const people = view.seats.map((seat) => (seat.kind === 'person' ? seat.name : '')).join('\n');
    if (view.phase !== 'open') this.company = null;
    else if (this.company?.people !== people) this.company = { people, since: frame.now };

    const match = view.outcome ? `${view.hand_no} ${JSON.stringify(view.outcome)}` : null;
    if (match === null) this.final = null;
    else if (this.final?.match !== match) this.final = { match, seats: view.seats, you };

    if (you !== null) this.sentAway = false;
    else if (
      events.some((event) => event.e === 'left' && event.kind === 'kicked' && event.seat === before?.you)
    )
      this.sentAway = true;

    // A table that came back has no proof of its last hand: that is lost with it.
    const lost = view.phase === 'between' && view.proof === null;
    const wasLost = before?.view.phase === 'between' && before.view.proof === null;
    if (events.some((event) => event.e === 'recovered') || (lost && !wasLost)) this.#tell('recovered');
    else if (steppedBack && before) this.#tell('synced');
    else if (events.some((event) => event.e === 'clocks_restarted' && event.why === 'late'))
      this.#tell('late');
  }

  #tell(notice: Notice): void {
    this.notice = notice;
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => (this.notice = null), NOTICE_FOR[notice]);
  }

  hear(said: Said, at: number): void {
    if (!this.frame || !this.voices.hear(said)) return;
    this.log.hear(said, this.frame, at);
    this.#keep();
  }

  setMuted(seat: number, on: boolean): void {
    if (on) this.voices.mute(seat, this.frame?.view.seats[seat]?.name ?? '');
    else this.voices.unmute(seat);
    this.#keep();
  }

  lost(code: Code): void {
    this.awaited = false;
    this.gone = code;
    // Whoever had a seat up to now was sent away. Who comes back may as well have left.
    if (code !== 'barred' || this.frame?.you == null) return;
    this.sentAway = true;
    this.#keep();
  }

  #newQuestion(): void {
    this.armed = null;
    this.endChoice = null;
    this.checks.forget();
  }

  #arrange(frame: Frame): void {
    if (frame.view.phase !== 'playing') return;
    const view = frame.view.hand;
    const cards = view?.hand ?? [];
    // Each deal has a commitment of its own, also in a rematch, or after a hand that did not count.
    const deal = frame.view.commitment;
    const isNew = this.hand.deal !== deal;
    const first = isNew || this.hand.slots.length === 0;
    const held = view ? GAMES[view.game].held(view, frame.you) : { extra: [], came: null, yours: false };
    const leaving = this.#leaving;
    let hand = hands.reconcile(this.hand, deal, cards, { ...held, leaving });
    // A fresh hand is shown in order; from then on the order is the player's.
    if (isNew) hand = hands.sort(hand, 'suit');
    if (!held.yours) hand = { ...hand, marked: null };
    else if (first && held.came) {
      const slot = [...hand.slots].reverse().find((one) => one.card === held.came);
      hand = { ...hand, marked: slot?.key ?? null };
    }
    // Most frames tell nothing new of it.
    this.hand = share(hand, this.hand);
  }

  #set(hand: hands.Arrangement): void {
    this.hand = hand;
    this.#keep();
  }

  /** Several changes are kept at once, a moment later: what is to be seen comes first. */
  #keep(): void {
    if (!this.#closed) this.#keepTimer ??= setTimeout(() => this.keep(), KEEP_AFTER);
  }

  /** Keep now what is not kept yet: the page may be about to end. */
  keep(): void {
    if (this.#keepTimer === undefined) return;
    clearTimeout(this.#keepTimer);
    this.#keepTimer = undefined;
    writeShelf(this.shelf, this.#shelfKey, {
      hand: this.hand,
      log: [...this.log.entries],
      seen: this.#seen,
      muted: this.voices.muted,
      company: this.company,
      final: this.final,
      sentAway: this.sentAway,
    } satisfies Kept);
  }

  // ---- arranging: nothing here is sent ----

  arrange(change: (hand: hands.Arrangement) => hands.Arrangement): void {
    this.#set(change(this.hand));
    this.armed = null;
    this.endChoice = null;
    this.checks.soon();
  }

  /** The selection becomes a meld of the tray, with the Joker that waits, if there is one. */
  toTray(): void {
    if (this.hand.selected.length === 0) return;
    const waits = this.hand.extra.some((slot) => slot.key === hands.PENDING_KEY);
    const free = waits && !this.hand.tray.flat().includes(hands.PENDING_KEY);
    this.arrange((hand) => hands.toTray(hand, free ? [hands.PENDING_KEY] : []));
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
      about: this.about,
      names: frame.view.seats.map((seat) => seat.name),
      armed: this.armed,
      checked: (action) => this.checks.of(action),
      ...rest,
    };
  }

  // ---- acting ----

  /** Play a move. `keys` are the cards it takes, so that of two copies the chosen one goes. */
  async play(action: AnyAction, keys: readonly number[] = []): Promise<void> {
    const frame = this.frame;
    if (!frame || this.sending) return;
    this.#leaving = keys;
    this.log.read();
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
      const answers = await Promise.all(ends.map((one) => this.checks.ask(one, decision)));
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
      this.checks.soon();
    }
  }

  ready(on: boolean): Promise<Answer> {
    return this.give({ t: 'ready', table: this.id, on, nonce: on ? randomHex(32) : '' });
  }

  /** Have the server put the best melds of one's hand together. Only the order changes. */
  async arrangeForMe(arranged: Game['arranged'] = hands.arrangeMelds): Promise<void> {
    const asked = this.#proposed;
    const answer = await this.line.arrange(this.id);
    // Whatever the player has been asked or has done meanwhile is newer than the proposal.
    if (!answer || asked !== this.#proposed) return;
    if (answer.t === 'refused') this.#refuse(answer);
    else this.arrange((hand) => arranged(hand, answer.melds));
  }

  /** What a proposal is made for: the question, the cards, and how they lie. */
  get #proposed(): string {
    const { deal, slots, extra, tray } = this.hand;
    return JSON.stringify([this.frame?.decision, deal, slots, extra, tray]);
  }

  /** Seat a bot on every free seat. Somebody else may be quicker; that is no fault. */
  async fillWithBots(): Promise<void> {
    const free = (this.frame?.view.seats ?? []).flatMap((seat, index) =>
      seat.kind === 'empty' ? [index] : [],
    );
    for (const seat of free) {
      const answer = await this.line.order({ t: 'add_bot', table: this.id, seat });
      if (answer.t === 'refused' && answer.code !== 'seat_taken' && answer.code !== 'wrong_phase')
        return this.#refuse(answer);
    }
  }

  async say(phrase: number): Promise<void> {
    const answer = await this.line.order({ t: 'say', table: this.id, phrase });
    if (answer.t === 'refused') this.#refuse(answer, true);
  }

  /** The absent seats that this player may still decide about. */
  get decisions(): Absence[] {
    const { view, you } = this.frame ?? {};
    if (!view || you == null) return [];
    return view.absences.filter((one) => one.seat !== you && one.choices.length > 0);
  }

  #refuse({ code, detail = {} }: Refusal, saying = false): void {
    this.refused = { code, detail, saying };
    clearTimeout(this.#refusedTimer);
    this.#refusedTimer = setTimeout(() => (this.refused = null), REFUSED_FOR);
  }

  /** The last refusal in words. */
  refusal(t: Texts): string | null {
    if (!this.refused) return null;
    const { code, detail, saying } = this.refused;
    return saying && code === 'rate_limited' ? t.say.rate : explain(t, code, detail);
  }

  complain(code: Code): void {
    this.#refuse({ t: 'refused', id: '', code });
  }

  #clearRefusal(): void {
    clearTimeout(this.#refusedTimer);
    this.refused = null;
  }

  close(): void {
    this.keep();
    this.#closed = true;
    this.checks.close();
    clearTimeout(this.#refusedTimer);
    clearTimeout(this.#noticeTimer);
    this.voices.close();
  }
}
