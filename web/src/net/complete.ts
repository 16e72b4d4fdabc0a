import { share } from '../lib/share';
import type { Frame } from '../protocol';

type Told = Readonly<Record<string, unknown>>;
interface Parts {
  readonly [name: string]: Parts;
}

/** What is told field by field, below a frame itself (docs/protocol.md, Frames). */
const FRAME: Parts = { view: { hand: {}, seats: {} }, legal: {} };

const isObject = (value: unknown): value is Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A field that is absent is as it was; what is not to be told field by field is told whole. What has not changed stays
 * the same object.
 */
function fill(told: Told, before: Told, parts: Parts): Told {
  const names = Object.keys(told);
  if (names.length === 0) return before;
  const whole: Record<string, unknown> = { ...before };
  for (const name of names) {
    const [now, then, inner] = [told[name], before[name], parts[name]];
    if (inner && isObject(now) && isObject(then)) whole[name] = fill(now, then, inner);
    else if (inner && Array.isArray(now) && Array.isArray(then))
      whole[name] = now.map((one: Told, at) => fill(one, then[at] as Told, inner));
    else whole[name] = share(now, then);
  }
  return whole;
}

/** The frames of one socket. The server leaves out what it has told this socket before. */
export class Frames {
  #whole = new Map<string, Frame>();

  /** The whole frame, from one as it came. Every one has to pass here, in order, wanted or not. */
  complete(told: Frame): Frame {
    // What happened belongs to one frame, and is not kept for the next.
    const before = { ...this.#whole.get(told.table), events: undefined, missed: undefined, sync: undefined };
    const whole = fill(told as unknown as Told, before, FRAME) as unknown as Frame;
    this.#whole.set(told.table, whole);
    return whole;
  }
}
