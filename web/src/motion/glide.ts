import { EASE_MOVE, token } from './tokens';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where something lies on the page, whatever has been scrolled and whatever is still on its way. */
function spotOf(node: HTMLElement): Place {
  let [x, y] = [0, 0];
  for (let at: Element | null = node; at instanceof HTMLElement; at = at.offsetParent) {
    x += at.offsetLeft;
    y += at.offsetTop;
  }
  return { x, y };
}

/** Where a part lies; one that lies in another goes with it. Null while it is not drawn. */
function placeOf(node: HTMLElement, parts: string): Place | null {
  if (!node.offsetParent) return null;
  const around = node.parentElement?.closest<HTMLElement>(parts);
  const [own, outer] = [spotOf(node), around ? spotOf(around) : { x: 0, y: 0 }];
  return { x: own.x - outer.x, y: own.y - outer.y };
}

/**
 * Let the parts of a box glide to where they lie now, instead of being there all at once.
 *
 * What has to make room for others is followed by the eye, and nothing jumps away from under a finger. Returns how to end it.
 */
export function glide(box: HTMLElement, parts: string): () => void {
  const windowSize = () => `${innerWidth} ${innerHeight}`;
  const look = () =>
    new Map([...box.querySelectorAll<HTMLElement>(parts)].map((node) => [node, placeOf(node, parts)]));
  let before = look();
  let size = windowSize();

  function follow(): void {
    const now = look();
    const duration = token('--d-move');
    // In a window of another size everything lies elsewhere: nothing has moved.
    const calm = duration > 0 && size === windowSize();
    for (const [node, to] of calm ? now : []) {
      const from = before.get(node);
      if (!from || !to || (from.x === to.x && from.y === to.y)) continue;
      // Whoever is still on the way goes on from there.
      node.animate(
        { translate: [`${from.x - to.x}px ${from.y - to.y}px`, '0 0'] },
        { duration, easing: EASE_MOVE, composite: 'add' },
      );
    }
    before = now;
    size = windowSize();
  }

  // Told after each change, before it is painted.
  const watch = new MutationObserver(follow);
  watch.observe(box, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['class', 'style'],
  });
  return () => watch.disconnect();
}
