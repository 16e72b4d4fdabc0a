import type { Move, Situation } from '../games/game';
import { isRearranged } from '../state/hand';

/** Where a first turn stands: to begin it, to do something with cards, to end it. */
export type Step = 0 | 1 | 2;

/** The step that the buttons and the choice show; null while others play, or cards are exchanged. It knows no rule: it looks at what is open. */
export function stepOf(s: Situation, bar: readonly Move[], yours: boolean): Step | null {
  if (!yours) return null;
  const open = (verb: string) => s.legal?.verbs[verb] === null;
  if (open('exchange')) return null; // before the first turn: there is no card to speak of yet
  if (open('draw')) return 0;
  const touched = s.hand.selected.length > 0 || isRearranged(s.hand);
  if (open('pass') || open('meld') || open('waive')) return touched ? 1 : 0;
  const ends = bar.some((move) => move.verb === 'discard' && move.enabled);
  return ends && s.hand.tray.length === s.hand.base.length ? 2 : 1;
}

/** In a duel a pass is a turn as well: so many are enough to have seen how it goes. */
const ENOUGH_TURNS = 4;

/** The way through the first turn: it goes forward only, and is over when a turn has ended that came to its last step. */
export class Guide {
  step: Step = 0;
  done = false;
  #turns = 0;
  #yours = false;

  /** What the table shows now. */
  see(step: Step | null): void {
    if (step !== null) {
      this.step = this.#yours ? (Math.max(step, this.step) as Step) : step;
      this.#yours = true;
      return;
    }
    if (!this.#yours) return;
    this.#yours = false;
    this.#turns += 1;
    if (this.step === 2 || this.#turns >= ENOUGH_TURNS) this.done = true;
  }

  /** The player has read it and goes on. */
  next(): void {
    if (this.step === 2) this.done = true;
    else this.step = (this.step + 1) as Step;
  }
}
