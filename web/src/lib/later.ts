/** So much later a picture has been drawn (ms). */
const PICTURE = 32;

const waiting: (() => void)[] = [];
const next = () => waiting.shift()?.();

/** Do what is not seen once what is seen has been drawn; at once where nothing is drawn, as timers go slowly there. */
export function later(what: () => void): void {
  waiting.push(what);
  if (!document.hidden) setTimeout(next, PICTURE);
  else while (waiting.length > 0) next();
}

/** Fetch parts that will be needed, each by itself: whoever presses something meanwhile waits for one of them at most. */
export function ahead(...loads: (() => Promise<unknown>)[]): void {
  for (const load of loads) later(() => void load().catch(() => {}));
}
