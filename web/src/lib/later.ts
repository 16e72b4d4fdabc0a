/** So much later a picture has been drawn (ms). */
const PICTURE = 32;

/** Do what is not seen once what is seen has been drawn; at once where nothing is drawn, as timers go slowly there. */
export function later(what: () => void): void {
  if (document.hidden) what();
  else setTimeout(what, PICTURE);
}
