import type { AnyEvent, Frame, Said } from '../protocol';
import type { Told } from './narrate';

export interface LogEntry {
  /** Its number, by which it is known however many older ones are dropped. */
  readonly n: number;
  readonly at: number;
  readonly v: number;
  readonly event: Told;
  /** Who sat where when it happened: a seat may change hands. */
  readonly names: readonly string[];
}

const LOG_LENGTH = 80;
/** The oldest go together once there are so many: line by line, each would move all that are shown. */
const LOG_MOST = 120;
/** What `missed` does not tell, as it is no part of the hand's course. */
const BESIDE_THE_HAND = new Set<AnyEvent['e']>([
  'sat',
  'stood',
  'bot_seated',
  'bot_dropped',
  'left',
  'renamed',
  'recovered',
  'seat_ready',
  'seat_away',
  'seat_back',
  'clock_ran_out',
  'clocks_restarted',
  'voted',
  'match_ended',
]);

/** What happened in this hand, and of that what happened while this screen was away. */
export class TableLog {
  entries: readonly LogEntry[] = $state.raw([]);
  missed: readonly LogEntry[] = $state.raw([]);
  #count = 0;

  /** Go on from what was kept over a load of the page. Its numbers were those of another page, or of an older build. */
  restore(kept: readonly LogEntry[]): void {
    this.entries = kept.map((entry) => ({ ...entry, n: this.#count++ }));
  }

  /** Note what a frame tells; `before` is the one that it replaces. */
  take(frame: Frame, before: Frame | null, steppedBack = false): void {
    // The store has lost its last moments: what was told of them has not happened.
    if (steppedBack) this.entries = this.entries.filter((entry) => entry.v < frame.v);
    if (frame.v <= (this.entries.at(-1)?.v ?? -1)) return;
    const missed = this.#entries(frame.missed ?? [], frame, before);
    const told = (frame.events ?? []).filter((event) => missed.length === 0 || BESIDE_THE_HAND.has(event.e));
    const fresh = [...missed, ...this.#entries(told, frame, before)];
    if (missed.length > 0) this.missed = [...sinceDeal(missed, this.missed)].slice(-LOG_LENGTH);
    if (fresh.length > 0) this.entries = cut(sinceDeal(fresh, this.entries));
  }

  hear(said: Said, frame: Frame, at: number): void {
    const event = { e: 'said', seat: said.seat, phrase: said.phrase } as const;
    const entry = { n: this.#count++, at, v: frame.v, event, names: namesOf(frame, null) };
    this.entries = cut([...this.entries, entry]);
  }

  /** What was missed has been read. */
  read(): void {
    this.missed = [];
  }

  #entries(events: readonly AnyEvent[], frame: Frame, before: Frame | null): LogEntry[] {
    const now = namesOf(frame, before);
    const then = before ? namesOf(before, null) : now;
    return events.map((event) => {
      const names = event.e === 'renamed' ? then : now;
      return { n: this.#count++, at: frame.now, v: frame.v, event, names };
    });
  }
}

function cut(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.length > LOG_MOST ? entries.slice(-LOG_LENGTH) : entries;
}

/** The log is of one hand; what came before its deal has been counted. */
function sinceDeal(fresh: readonly LogEntry[], old: readonly LogEntry[]): readonly LogEntry[] {
  const dealt = fresh.findIndex((entry) => entry.event.e === 'dealt');
  return dealt < 0 ? [...old, ...fresh] : fresh.slice(dealt);
}

/** Names by seat; a seat that has just become free still has the name of who left it. */
function namesOf(frame: Frame, before: Frame | null): string[] {
  return frame.view.seats.map((seat, index) => seat.name || before?.view.seats[index]?.name || '');
}
