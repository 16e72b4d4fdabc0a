import type { CheckOrder } from '../net/link';
import type { AnyAction, Checked, Frame, Refusal } from '../protocol';

/** Several quick choices are one question. The server answers ten a second. */
const AFTER = 120;

/** Dry runs: what the server would say to actions that the screen shows, asked before they are sent. */
export class Checks {
  #answers: ReadonlyMap<string, Checked | Refusal> = $state.raw(new Map());
  #wanted: () => readonly AnyAction[] = () => [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly line: { check(order: CheckOrder): Promise<Checked | Refusal | null> },
    private readonly frame: () => Frame | null,
  ) {}

  /** What was answered to an action in the question that stands. */
  of(action: AnyAction): Checked | Refusal | undefined {
    return this.#answers.get(JSON.stringify(action));
  }

  /** Which dry runs the screen wants; set by the page, which knows the game and the words. */
  want(actions: () => readonly AnyAction[]): void {
    this.#wanted = actions;
    this.soon();
  }

  /** Ask in a moment for what is wanted and not answered yet. */
  soon(): void {
    clearTimeout(this.#timer);
    // Whoever is not asked has nothing to try out; the next question comes with a frame.
    if (!this.frame()?.legal) return;
    this.#timer = setTimeout(() => {
      const frame = this.frame();
      if (!frame?.legal) return;
      for (const action of this.#wanted()) {
        if (!this.of(action)) void this.ask(action, frame.decision);
      }
    }, AFTER);
  }

  /** Ask at once, in a question; null if no answer came. */
  async ask(action: AnyAction, decision: number): Promise<Checked | Refusal | null> {
    const answer = await this.line.check({ table: this.table, decision, action });
    if (answer && this.frame()?.decision === decision && answer.code !== 'rate_limited') {
      this.#answers = new Map(this.#answers).set(JSON.stringify(action), answer);
    }
    return answer;
  }

  /** Another question: no answer holds any longer. */
  forget(): void {
    if (this.#answers.size > 0) this.#answers = new Map();
  }

  close(): void {
    this.#wanted = () => [];
    clearTimeout(this.#timer);
  }
}
