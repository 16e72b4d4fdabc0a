import { untrack } from 'svelte';
import type { Absence } from '../protocol';

/** Which absence this screen asks about: one at a time, and none again that was put away, unless it is opened. */
export class Deciding {
  #opened: number | null = $state(null);
  #away: readonly number[] = $state.raw([]);

  /** What to ask about. One's own "wait" is an answer; what else was chosen may want a look at the others' choices. */
  shown(decisions: readonly Absence[], you: number | null): Absence | null {
    const due = (one: Absence) => one.votes[you ?? -1] !== 'wait' && !this.#away.includes(one.seat);
    return decisions.find((one) => one.seat === this.#opened) ?? decisions.find(due) ?? null;
  }

  open(seat: number): void {
    this.#opened = seat;
  }

  close(seat: number): void {
    if (this.#opened === seat) this.#opened = null;
    if (!this.#away.includes(seat)) this.#away = [...this.#away, seat];
  }

  /** An absence that is over is forgotten: the next one of that seat is asked about again. */
  follow(decisions: readonly Absence[]): void {
    const stands = (seat: number) => decisions.some((one) => one.seat === seat);
    untrack(() => {
      if (this.#opened !== null && !stands(this.#opened)) this.#opened = null;
      if (!this.#away.every(stands)) this.#away = this.#away.filter(stands);
    });
  }
}
