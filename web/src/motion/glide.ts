import { token } from './tokens';

/** So far away, and so many times as large, is a part drawn that has not come to where it lies. */
interface Pose {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Way {
  readonly from: Pose;
  now: Pose;
  /** When it set out, by the clock of the pictures; null before the next one. */
  began: number | null;
}

type Place = Pick<Pose, 'x' | 'y'>;

const HERE: Pose = { x: 0, y: 0, scale: 1 };

/** What is left of a way: it sets out fast and comes to rest softly, as all does that moves (EASE_MOVE). */
const rest = (part: number) => (1 - part) ** 4;

/** A part of a box, and the part that it lies in, with which it goes. */
interface Part {
  readonly node: HTMLElement;
  readonly outer: HTMLElement | null;
}

function partsOf(box: HTMLElement, parts: string): Part[] {
  const nodes = new Set<Element>(box.querySelectorAll(parts));
  return ([...nodes] as HTMLElement[]).map((node) => {
    let outer = node.parentElement;
    while (outer && outer !== box && !nodes.has(outer)) outer = outer.parentElement;
    return { node, outer: outer === box ? null : outer };
  });
}

/** Where parts lie, whatever has been scrolled and whatever is still on its way. Null while one is not drawn. */
function look(parts: readonly Part[]): Map<HTMLElement, Place | null> {
  const spots = new Map<Element, Place>();
  function spotOf(node: HTMLElement, around = node.offsetParent): Place {
    const known = spots.get(node);
    if (known) return known;
    const { x, y } = around ? spotOf(around as HTMLElement) : HERE;
    const spot = { x: x + node.offsetLeft, y: y + node.offsetTop };
    spots.set(node, spot);
    return spot;
  }
  const places = new Map<HTMLElement, Place | null>();
  for (const { node, outer } of parts) {
    const around = node.offsetParent;
    const { x, y } = outer && around ? spotOf(outer) : HERE;
    const own = around && spotOf(node, around);
    places.set(node, own && { x: own.x - x, y: own.y - y });
  }
  return places;
}

const heights = (fans: readonly HTMLElement[]) => new Map(fans.map((fan) => [fan, fan.offsetHeight]));

/** What glides in a box. */
interface Glide {
  /** Look at once whether anything lies elsewhere, before what is measured next is written over. */
  follow(): void;
  end(): void;
}

/**
 * Let the parts of a box glide to where they lie now, instead of being there all at once, and the cards in `fans` grow
 * or shrink to what they are now. What happens in `air` moves nothing.
 *
 * What has to make room for others is followed by the eye, and nothing jumps away from under a finger. Each picture is
 * posed by hand: where an animation of the browser's own is under way and its part is laid elsewhere, the browser counts
 * a shift of the layout, though nothing is seen to jump.
 */
export function glide(box: HTMLElement, parts: string, fans: string, air: HTMLElement): Glide {
  const windowSize = () => `${innerWidth} ${innerHeight}`;
  const ways = new Map<HTMLElement, Way>();
  const find = () => ({
    parts: partsOf(box, parts),
    fans: [...box.querySelectorAll<HTMLElement>(fans)],
  });
  let known = find();
  let before = look(known.parts);
  let tall = heights(known.fans);
  let size = windowSize();
  let duration = 0;
  let next = 0;

  /** They are looked for only where some have come or gone: what they are called stays as it is. */
  const any = `${parts}, ${fans}`;
  const isOne = (node: Node) =>
    node instanceof HTMLElement && (node.matches(any) || node.querySelector(any) !== null);
  const changes = ({ addedNodes, removedNodes }: MutationRecord) =>
    [...addedNodes].some(isOne) || [...removedNodes].some(isOne);

  function follow(records = watch.takeRecords()): void {
    if (records.some(changes)) known = find();
    const [now, tallNow] = [look(known.parts), heights(known.fans)];
    const moved = [...now].flatMap(([node, to]) => {
      const from = before.get(node);
      return from && to && (from.x !== to.x || from.y !== to.y)
        ? [{ node, x: from.x - to.x, y: from.y - to.y }]
        : [];
    });
    const sized = [...tallNow].flatMap(([fan, to]) => {
      const scale = (tall.get(fan) ?? to) / to;
      return to > 0 && scale > 0 && scale !== 1 ? [{ fan, scale }] : [];
    });
    // In a window of another size everything lies elsewhere: nothing has moved. And nobody looks at a hidden one.
    const calm = size === windowSize() && !document.hidden;
    if (calm && moved.length + sized.length > 0) duration = token('--d-move');
    if (calm && duration > 0) {
      // All is read before any of it is written over.
      const poses = sized.flatMap(({ fan, scale }) => posesIn(fan, scale));
      for (const { node, x, y } of moved) setOut(node, { x, y, scale: 1 });
      for (const [card, pose] of poses) setOut(card, pose);
    }
    [before, tall, size] = [now, tallNow, windowSize()];
    watch.takeRecords();
  }

  /** All in a fan is in proportion to its cards: they lay so many times as far apart. */
  function posesIn(fan: HTMLElement, scale: number): [HTMLElement, Pose][] {
    const cards = [...fan.querySelectorAll<HTMLElement>('.card')];
    const first = cards[0]?.offsetLeft ?? 0;
    return cards.map((card) => [card, { x: (card.offsetLeft - first) * (scale - 1), y: 0, scale }]);
  }

  /** It goes on from where it is seen now. */
  function setOut(node: HTMLElement, { x, y, scale }: Pose): void {
    const seen = ways.get(node)?.now ?? HERE;
    const from = { x: seen.x + x, y: seen.y + y, scale: seen.scale * scale };
    const way = { from, now: from, began: null };
    ways.set(node, way);
    node.style.willChange = 'transform';
    draw(node, way, 1);
    next ||= requestAnimationFrame(step);
  }

  function step(at: number): void {
    next = 0;
    for (const [node, way] of ways) {
      way.began ??= at;
      const part = (at - way.began) / duration;
      if (part < 1 && node.isConnected) draw(node, way, rest(Math.max(0, part)));
      else arrive(node);
    }
    if (ways.size > 0) next = requestAnimationFrame(step);
    watch.takeRecords();
  }

  function draw(node: HTMLElement, way: Way, far: number): void {
    const { x, y, scale } = way.from;
    way.now = { x: x * far, y: y * far, scale: 1 + (scale - 1) * far };
    node.style.translate = `${way.now.x}px ${way.now.y}px`;
    // Also where it comes to 1: it may have been on its way from another size.
    if (scale !== 1 || node.style.scale) node.style.scale = String(way.now.scale);
  }

  function arrive(node: HTMLElement): void {
    for (const name of ['translate', 'scale', 'will-change']) node.style.removeProperty(name);
    ways.delete(node);
  }

  // Told after each change, before it is painted. What is written here is no news: its records are thrown away.
  const watch = new MutationObserver((records) => {
    if (!records.every(({ target }) => air.contains(target))) follow(records);
  });
  watch.observe(box, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'style'],
  });
  return {
    follow: () => follow(),
    end() {
      watch.disconnect();
      cancelAnimationFrame(next);
      for (const node of ways.keys()) arrive(node);
    },
  };
}
