import { backToHand, moveTo, regroup, reorder, type Arrangement } from '../state/hand';
import type { Desk } from './desk.svelte';

/** A finger that trembles is not dragging (px). */
const DRAG_AFTER = 8;

/** What is under way: cards by their keys, or the top of a pile. */
export type Load = { readonly keys: readonly number[] } | { readonly pile: 'stock' | 'discard' };

/**
 * Dragging with a mouse, a pen or a finger: one at a time, over everything that has `data-grab` and `data-drop`.
 *
 * A drop does what choosing and pressing would do, and is judged in the same way. Esc, a second finger, a lost pointer
 * or a card that is gone put everything back as it was.
 */
export class Drag {
  load: Load | null = $state.raw(null);
  /** Where the pointer is, and over which place. */
  at = $state.raw({ x: 0, y: 0 });
  over: string | null = $state(null);
  #begun: { pointer: number; x: number; y: number; load: Load; keys: readonly number[] } | null = null;
  #ended = 0;
  /** The card of the hand whose place is at a point; the hand knows, which lays them out. */
  slotAt: (x: number, y: number) => number | null = () => null;

  constructor(private readonly desk: Desk) {}

  /** The click that follows a drag is none. */
  get justEnded(): boolean {
    return performance.now() - this.#ended < 60;
  }

  /** Whether a card is being dragged. */
  has(key: number): boolean {
    return this.load !== null && 'keys' in this.load && this.load.keys.includes(key);
  }

  down(event: PointerEvent): void {
    this.#ended = 0;
    if (this.#begun) return this.cancel();
    const grab = (event.target as Element).closest<HTMLElement>('[data-grab]')?.dataset.grab;
    if (grab === undefined || event.button !== 0 || !event.isPrimary) return;
    const { hand } = this.desk.table;
    const load = this.#loadOf(grab, hand);
    const keys = hand.slots.map((slot) => slot.key);
    this.#begun = { pointer: event.pointerId, x: event.clientX, y: event.clientY, load, keys };
  }

  move(event: PointerEvent, board: HTMLElement): void {
    const begun = this.#begun;
    if (!begun || event.pointerId !== begun.pointer) return;
    if (!this.load) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < DRAG_AFTER) return;
      board.setPointerCapture(event.pointerId);
      this.load = begun.load;
    }
    this.at = { x: event.clientX, y: event.clientY };
    this.over = placeUnder(event);
    if (this.over !== 'hand' || !('keys' in this.load)) return;
    const [key] = this.load.keys;
    const to = this.slotAt(event.clientX, event.clientY);
    if (key !== undefined && to !== null && key !== to) {
      this.desk.table.arrange((hand) => moveTo(hand, key, to));
    }
  }

  up(event: PointerEvent): void {
    const begun = this.#begun;
    if (!begun || event.pointerId !== begun.pointer) return;
    const { load, over } = this;
    this.#end();
    if (!load) return;
    this.#ended = performance.now();
    if (over !== 'hand') this.#restore(begun.keys);
    if (over !== null) this.#drop(load, over);
  }

  /** A finger that has moved a card has not flung the page: else the browser would take its next tap for a stop. */
  heldBy(touch: TouchEvent): void {
    if (this.#begun && touch.cancelable) touch.preventDefault();
  }

  /** Put everything back as it was. */
  cancel(): void {
    const begun = this.#begun;
    if (begun && this.load) {
      this.#restore(begun.keys);
      this.#ended = performance.now();
    }
    this.#end();
  }

  /** Cards that are gone cannot be dragged on. */
  follow(hand: Arrangement): void {
    if (!this.load || !('keys' in this.load)) return;
    const held = [...hand.slots, ...hand.extra].map((slot) => slot.key);
    if (!this.load.keys.every((key) => held.includes(key))) this.cancel();
  }

  #end(): void {
    this.#begun = null;
    this.load = null;
    this.over = null;
  }

  #restore(keys: readonly number[]): void {
    this.desk.table.arrange((hand) => reorder(hand, keys));
  }

  #loadOf(grab: string, { selected }: Arrangement): Load {
    if (grab === 'stock' || grab === 'discard') return { pile: grab };
    const key = Number(grab);
    return { keys: selected.includes(key) ? selected : [key] };
  }

  #drop(load: Load, over: string): void {
    const { desk } = this;
    const { table } = desk;
    if ('pile' in load) {
      if (over === 'hand') desk.press(load.pile === 'stock' ? 'draw' : 'take');
      return;
    }
    const [place, number] = over.split(':');
    const inHand = load.keys.every((key) => table.hand.slots.some((slot) => slot.key === key));
    const inTray = load.keys.some((key) => table.hand.tray.flat().includes(key));
    // Put in order within the hand: whatever was chosen stays chosen.
    if (place === 'hand' && !inTray) return;
    table.arrange((hand) => ({ ...hand, selected: load.keys }));
    if (place === 'hand') table.arrange(backToHand);
    else if (place === 'discard' && inHand) desk.press(this.#verbOfDiscard());
    else if (place === 'meld') desk.chooseMeld(Number(number));
    else if (place === 'tray') table.arrange((hand) => regroup(hand, Number(number)));
    else if (place === 'new' && desk.game?.tray) table.toTray();
    else if (place === 'new') desk.chooseMeld(table.hand.tray.length + 1);
  }

  /** In an exchange the same place takes the card that is given away. */
  #verbOfDiscard(): string {
    return this.desk.move('exchange') ? 'exchange' : 'discard';
  }
}

/** The place under the pointer that takes cards. */
function placeUnder({ clientX, clientY }: PointerEvent): string | null {
  return (
    document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-drop]')?.dataset.drop ?? null
  );
}
