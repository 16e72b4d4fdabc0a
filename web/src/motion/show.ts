import { tick } from 'svelte';
import { later } from '../lib/later';
import type { Frame } from '../protocol';
import { glide } from './glide';
import { flightsOf, type Flight } from './plan';
import { Air, ends, look, starts, type Picture } from './stage';

/** What glides where something else needs its place. */
const PARTS = [
  '.seat, .meld, .meld .no, .no-melds, .piles, .pile, .pile .n, .stack, .centre, .centre > *, .guided, .say, .hand',
  '.mine, .mine > *, .duel .meld .card, .tray, .tray > *, .group > .icb',
].join();
/** Whose cards are smaller where there are more of them. */
const FANS = '.ground .fan, .stack';
/** Frames that come faster than this are a burst (ms): nobody could follow it. */
const BURST = 60;

const isDeal = ({ events = [] }: Frame) => events.some((event) => event.e === 'dealt');
const planOf = ({ events = [], you, view }: Frame) => flightsOf(events, you, view.hand?.hand ?? []);

/** Shows on a board how what a frame tells came about. */
export class Show {
  readonly #air: Air;
  readonly #glide: ReturnType<typeof glide>;
  #shown: { readonly v: number; readonly at: number };
  /** What the next frame tells, and the table as it looked before; null where that does not matter. */
  #ahead: {
    readonly frame: Frame;
    readonly flights: readonly Flight[];
    readonly before: Picture | null;
  } | null = null;

  /** `shown`: the frame that is drawn already, and since when. */
  constructor(
    private readonly board: HTMLElement,
    layer: HTMLElement,
    shown: { readonly v: number; readonly at: number },
  ) {
    this.#air = new Air(layer);
    this.#glide = glide(board, PARTS, FANS, layer);
    this.#shown = shown;
  }

  /** Look at what will move while it lies where it lay: then nothing has to be laid out for it. */
  foresee(frame: Frame): void {
    this.#ahead = null;
    const calm = performance.now() - this.#shown.at > BURST && !document.hidden;
    if (!calm || frame.v <= this.#shown.v || isDeal(frame)) return;
    const flights = planOf(frame);
    if (flights.length === 0) return;
    // What comes from the stock is not seen before: it may set out when the table has been drawn.
    const unseen = flights.every(({ show }) => show !== 'face');
    this.#ahead = { frame, flights, before: unseen ? null : look(this.board, starts(flights)) };
  }

  /** The frame has been drawn: let fly what it tells. */
  tell(frame: Frame): void {
    this.#shown = { v: frame.v, at: performance.now() };
    if (document.hidden) return;
    // The hand has just come, and has no cards before it knows how wide it is.
    if (isDeal(frame)) void tick().then(() => this.#flyNow(planOf(frame)));
    else if (this.#ahead?.frame === frame) {
      const { flights, before } = this.#ahead;
      this.#ahead = null;
      if (!before) return this.#flyLater(flights);
      const after = look(this.board, ends(flights));
      // All that is laid out is read, before the first copy is put above it.
      this.#glide.follow();
      this.#air.fly(flights, before, after);
    }
  }

  /** Nothing is seen of it until then. */
  #flyLater(flights: readonly Flight[]): void {
    const kept = flights.map((flight) => this.#air.keep(this.board, flight));
    later(() => {
      this.#flyNow(flights);
      for (const one of kept) one?.cancel();
    });
  }

  /** What comes from the stock that lies there now, as a whole deal does, needs no table before it. */
  #flyNow(flights: readonly Flight[]): void {
    const now = look(this.board, [...starts(flights), ...ends(flights)]);
    this.#air.fly(flights, now, now);
  }

  /** Somebody wants to play: what flies has come. */
  land(): void {
    this.#air.land();
  }

  end(): void {
    this.#glide.end();
  }
}
