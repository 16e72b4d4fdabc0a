import { faceOf } from '../lib/cards';
import type { Flight, Spot } from './plan';
import { EASE_MOVE, token } from './tokens';

// State is drawn first; what flies is a copy above it, from where the card was to where it is. Nothing waits for it,
// nothing under it is covered for the pointer, and a picture that is not seen is not made.

interface Seen {
  readonly rect: DOMRect;
  readonly node: HTMLElement;
  /** The first card that lies there, and those that were looked for, with what they show. */
  readonly cards: readonly { readonly card: string; readonly rect: DOMRect; readonly node: HTMLElement }[];
}
/** What was looked at of the table at one moment, by the names of its places. */
export type Picture = ReadonlyMap<string, Seen>;

const UNSEEN = { opacity: [0, 0] };
/** Whatever waits to fly has set out by then (ms). */
const LONG = 1_000;
const EASE_IN = 'cubic-bezier(.5, 0, .9, .4)';
/** How far an arc leads aside, by the length of the way. */
const SWING = 0.18;
/** A deal takes no longer than this in all (ms). */
const WHOLE_DEAL = 1_200;

/** What a flight may need besides its own ends: the stock lends its back, and the pile has a top that is covered. */
const BESIDE: Spot = { places: ['stock', 'discard'], card: null };

/** Where flights begin. */
export const starts = (flights: readonly Flight[]): Spot[] => [...flights.map(({ from }) => from), BESIDE];
/** Where flights end. */
export const ends = (flights: readonly Flight[]): Spot[] => flights.map(({ to }) => to);

/** Look at some spots of the table as it is drawn now. What lies elsewhere is not measured: that takes time. */
export function look(board: HTMLElement, spots: readonly Spot[]): Picture {
  const faces = new Map<string, Set<string>>();
  for (const { places, card } of spots) {
    for (const place of places) {
      const known = faces.get(place) ?? new Set();
      faces.set(place, card === null ? known : known.add(faceOf(card)));
    }
  }
  const picture = new Map<string, Seen>();
  for (const node of board.querySelectorAll<HTMLElement>('[data-place]')) {
    const name = node.getAttribute('data-place') ?? '';
    const wanted = faces.get(name);
    if (!wanted) continue;
    const cards: Seen['cards'][number][] = [];
    for (const one of node.querySelectorAll<HTMLElement>('.card')) {
      const card = one.getAttribute('data-card') ?? '';
      if (cards.length > 0 && !wanted.has(faceOf(card))) continue;
      cards.push({ card, rect: one.getBoundingClientRect(), node: one });
    }
    picture.set(name, { rect: node.getBoundingClientRect(), node, cards });
  }
  return picture;
}

interface Pose {
  readonly duration: number;
  readonly delay: number;
}

/** The layer above the table in which copies fly. */
export class Air {
  /** Whatever has to stop when somebody wants to play. */
  #running: Animation[] = [];
  #copies = new Set<HTMLElement>();

  constructor(private readonly layer: HTMLElement) {}

  /** Let copies fly from the picture before to the one after. */
  fly(flights: readonly Flight[], before: Picture, after: Picture): void {
    const style = getComputedStyle(document.documentElement);
    const length = {
      move: token('--d-move', style),
      burn: token('--d-burn', style),
      deal: token('--d-deal', style),
    };
    if (length.move === 0) return;
    this.#running = this.#running.filter((one) => one.playState === 'running');
    const used = new Set<HTMLElement>();
    const deals = flights.some((flight) => flight.how === 'deal');
    const stagger = deals
      ? Math.min(60, (WHOLE_DEAL - length.deal) / flights.length)
      : token('--d-stagger', style);
    flights.forEach((flight, at) => {
      const from = find(flight.from, before, used);
      const to = find(flight.to, after, used, true);
      if (!from || !to) return;
      const pose = { duration: length[flight.how], delay: at * stagger };
      if (to.node && flight.show !== 'hidden' && flight.how !== 'burn') this.#hold(to.node, pose);
      this.#send(flight, from, to, pose, before);
    });
  }

  /** Keep from sight what will fly in a moment. Returns what does so. */
  keep(board: HTMLElement, { to: { places, card }, show }: Flight): Animation | undefined {
    if (show === 'hidden' || token('--d-move') === 0) return undefined;
    const alike = board.querySelectorAll(`[data-place="${places[0]}"] [data-card="${card}"]`);
    return [...alike].at(-1)?.animate(UNSEEN, LONG);
  }

  /** End all flights at once. */
  land(): void {
    for (const one of this.#running) one.cancel();
    for (const copy of this.#copies) copy.remove();
    this.#running = [];
    this.#copies.clear();
  }

  /** The card itself is there at once, but not seen until its copy has come. */
  #hold(node: HTMLElement, { duration, delay }: Pose): void {
    this.#running.push(node.animate(UNSEEN, duration + delay));
  }

  #send(flight: Flight, from: End, to: End, pose: Pose, before: Picture): void {
    const back = before.get('stock')?.node.querySelector<HTMLElement>('.card.back') ?? null;
    const face = flight.to.card === null ? from.node : to.node;
    const shown = flight.show === 'hidden' ? back : (face ?? from.node ?? back);
    if (!shown) return;
    const size = to.node && flight.show !== 'hidden' ? to.rect : from.node ? from.rect : cardAt(to.rect);
    // What lay on top is seen until the next card covers it.
    const under = flight.to.places[0] === 'discard' ? before.get('discard')?.cards[0] : undefined;
    const covered = under && this.#copy(under.node, under.rect);
    if (covered) covered.style.zIndex = '-1';
    const copy = this.#copy(shown, size);
    const place = ({ rect, node }: End) => {
      const x = rect.left + rect.width / 2 - size.left - size.width / 2;
      const y = rect.top + rect.height / 2 - size.top - size.height / 2;
      return `translate(${x}px, ${y}px) scale(${node ? rect.width / size.width : 0.5})`;
    };
    const [start, end] = [{ transform: place(from) }, { transform: place(to) }];
    const burns = flight.how === 'burn';
    const moved = copy.animate(
      burns
        ? [
            { ...start, opacity: 1 },
            { ...end, opacity: 0 },
          ]
        : [start, end],
      {
        ...pose,
        fill: 'both',
        easing: burns ? EASE_IN : EASE_MOVE,
      },
    );
    if (flight.show === 'turn' && back) turnOver(copy, back, pose);
    if (flight.swings) swingOut(copy, from.rect, to.rect, pose);
    moved.onfinish = () => {
      this.#drop(copy);
      if (covered) this.#drop(covered);
    };
    this.#running.push(moved);
  }

  /** A copy that is a picture only: nothing of it can be found, named or pressed. */
  #copy(node: HTMLElement, { left, top, width }: DOMRect): HTMLElement {
    const copy = node.cloneNode(true) as HTMLElement;
    for (const name of copy.getAttributeNames()) if (name !== 'class') copy.removeAttribute(name);
    copy.classList.remove('new', 'chosen');
    copy.style.cssText = `position: fixed; left: ${left}px; top: ${top}px; width: ${width}px; --w: ${width}px`;
    this.#copies.add(copy);
    this.layer.append(copy);
    return copy;
  }

  #drop(copy: HTMLElement): void {
    this.#copies.delete(copy);
    copy.remove();
  }
}

interface End {
  readonly rect: DOMRect;
  readonly node: HTMLElement | null;
}

/**
 * Where a spot is in a picture. Equal cards are told apart: who goes is there no more, who `comes` lies on the right, and
 * none is used twice.
 */
function find({ places, card }: Spot, picture: Picture, used: Set<HTMLElement>, comes = false): End | null {
  for (const place of places) {
    const seen = picture.get(place);
    if (!seen) continue;
    if (card === null) return { rect: seen.rect, node: seen.cards[0]?.node ?? null };
    const alike = (one: { card: string }) => one.card === card || faceOf(one.card) === faceOf(card);
    const free = seen.cards.filter((one) => alike(one) && !used.has(one.node));
    if (comes) free.reverse();
    const gone = free.filter(({ node }) => !node.isConnected);
    const found = [...gone, ...free].find((one) => one.card === card) ?? free[0];
    if (!found) continue;
    used.add(found.node);
    return found;
  }
  // Not there as a card: from the place itself, as from a seat whose cards nobody sees.
  const seen = card === null ? undefined : places.map((place) => picture.get(place)).find(Boolean);
  return seen ? { rect: seen.rect, node: null } : null;
}

/** The back first, then, half-way, the face. */
function turnOver(copy: HTMLElement, back: HTMLElement, pose: Pose): void {
  const cover = back.cloneNode(true) as HTMLElement;
  Object.assign(cover.style, { position: 'absolute', inset: '0', width: 'auto' });
  copy.append(cover);
  const timing = { ...pose, fill: 'both' as const };
  cover.animate(
    [{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0, offset: 0.51 }, { opacity: 0 }],
    timing,
  );
  copy.animate([{ rotate: 'y 0deg' }, { rotate: 'y 90deg', offset: 0.5 }, { rotate: 'y 0deg' }], timing);
}

/** An arc instead of a straight way. */
function swingOut(copy: HTMLElement, from: DOMRect, to: DOMRect, pose: Pose): void {
  const far = `${(from.top - to.top) * SWING}px ${(to.left - from.left) * SWING}px`;
  copy.animate(
    [{ translate: '0 0', easing: 'ease-out' }, { translate: far, easing: 'ease-in' }, { translate: '0 0' }],
    pose,
  );
}

/** A card's own size in the middle of something larger. */
function cardAt(rect: DOMRect): DOMRect {
  return new DOMRect(rect.left + rect.width / 2 - 21, rect.top + rect.height / 2 - 29, 42, 58);
}
