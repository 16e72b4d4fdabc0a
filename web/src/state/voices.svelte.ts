import type { Frame, Said } from '../protocol';

const BUBBLE_FOR = 5_000;

/** Who says what at a table, and whom this player does not want to hear. */
export class Voices {
  /** The phrase that hangs at a seat, by seat. */
  bubbles: Readonly<Record<number, number>> = $state.raw({});
  /** Muted persons: the name by seat, so that whoever sits there next is heard. */
  muted: Readonly<Record<number, string>> = $state.raw({});
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Somebody says a phrase; false if it is not to be shown. */
  hear({ seat, phrase }: Said): boolean {
    if (seat in this.muted) return false;
    this.bubbles = { ...this.bubbles, [seat]: phrase };
    clearTimeout(this.#timers.get(seat));
    this.#timers.set(
      seat,
      setTimeout(() => this.#hush(seat), BUBBLE_FOR),
    );
    return true;
  }

  mute(seat: number, name: string): void {
    this.muted = { ...this.muted, [seat]: name };
    this.#hush(seat);
  }

  unmute(seat: number): void {
    this.muted = without(this.muted, seat);
  }

  /** A muted person may take another name; another person begins unmuted. */
  follow({ view, events = [] }: Frame): void {
    for (const key of Object.keys(this.muted)) {
      const seat = Number(key);
      const renamed = events.some((event) => event.e === 'renamed' && event.seat === seat);
      const now = view.seats[seat];
      if (renamed && now) this.muted = { ...this.muted, [seat]: now.name };
      else if (now?.kind !== 'person' || now.name !== this.muted[seat]) this.unmute(seat);
    }
  }

  #hush(seat: number): void {
    clearTimeout(this.#timers.get(seat));
    this.#timers.delete(seat);
    this.bubbles = without(this.bubbles, seat);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

function without<T>(record: Readonly<Record<number, T>>, key: number): Readonly<Record<number, T>> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => Number(one) !== key));
}
