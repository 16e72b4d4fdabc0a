/** What calls a player: it is their turn, or little time is left for it. */
export type Call = 'turn' | 'soon';

/** Below this a question is urgent (ms). */
export const SOON = 10_000;

/** What is known of one's own seat at one moment. */
export interface Asked {
  readonly asked: boolean;
  readonly deadline: number | null;
}

/** Says when to call, once for each turn and once for the last seconds of its clock. A page that opens late calls as well. */
export class TurnCaller {
  #called = false;
  #warned: number | null = null;

  /** What is due at this moment. */
  look({ asked, deadline }: Asked, now: number): Call | null {
    if (!asked) {
      this.#called = false;
      this.#warned = null;
      return null;
    }
    // Within one turn every move of one's own brings another question: that is no new call.
    if (!this.#called) {
      this.#called = true;
      return 'turn';
    }
    const left = deadline === null || now === 0 ? Infinity : deadline - now;
    if (left > SOON) this.#warned = null;
    else if (left > 0 && this.#warned !== deadline) {
      this.#warned = deadline;
      return 'soon';
    }
    return null;
  }
}
