export const EASE_MOVE = 'cubic-bezier(.3, .7, .1, 1)';

/** A duration of the design tokens in ms; 0 where motion is not wanted. */
export function token(name: string, style = getComputedStyle(document.documentElement)): number {
  const value = style.getPropertyValue(name).trim();
  return parseFloat(value) * (/\ds$/.test(value) ? 1000 : 1) || 0;
}
