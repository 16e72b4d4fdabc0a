import { isJoker, isRed, rankOf, roleOf, signOf, suitOf } from '../lib/cards';
import type { Placed } from '../protocol';

/** A symbol of the sprite, in its place on a card of 250 by 350. */
const use = (symbol: string, x: number, y: number, width: number, height: number) =>
  `<use href="#${symbol}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;

/**
 * The drawing of one card, as markup: a browser reads it in less than half the time in which it makes part by part. A
 * Joker on the table wears what it stands for at its foot.
 *
 * Of `card` nothing comes to the markup but two letters, or two of a role: they can open no tag.
 */
export function face(card: Placed): string {
  const role = roleOf(card);
  const foot = role ? `<i class="role${isRed(role) ? ' red' : ''}" data-role="${signOf(role)}"></i>` : '';
  const print = isJoker(card) ? use('p-j', 18, 20, 88, 88) + use('f-X', 62, 118, 190, 233.5) : printOf(card);
  return `<svg viewBox="0 0 250 350" aria-hidden="true">${print}</svg>${foot}`;
}

function printOf(card: Placed): string {
  const rank = rankOf(card);
  const pip = `p-${suitOf(card).toLowerCase()}`;
  const court = 'JQK'.includes(rank);
  const [left, width] = rank === '10' ? [12, 106] : [14, rank === 'Q' ? 84.8 : 80.6];
  return (
    use(`r-${rank}`, left, 20, width, 106) +
    use(pip, 22, 134, 62, 62) +
    (court
      ? use(`f-${rank}`, 66, 124, 186, 228.6)
      : rank === 'A'
        ? use(pip, 92, 178, 140, 140)
        : use(pip, 108, 204, 118, 118)) +
    `<rect class="mark${isRed(card) ? ' hollow' : ''}" x="26" y="212" width="${court ? 34 : 52}" height="17" rx="8.5"/>`
  );
}
