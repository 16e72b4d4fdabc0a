import { expect, it } from 'vitest';
import { layoutHand, roomFor } from './layout';

it.each([
  [320, 14, 2, 48, 44],
  [360, 14, 2, 64, 48],
  [390, 14, 2, 64, 53],
  [320, 16, 3, 64, 50],
  [360, 16, 2, 44, 44],
  [390, 16, 2, 64, 45],
])('at %i px, %i cards lie in %i rows', (width, cards, rows, card, strip) => {
  const layout = layoutHand(width, 780, cards, cards);
  expect(layout.rows).toHaveLength(rows);
  expect([Math.round(layout.card), Math.floor(layout.strip + 0.5)]).toEqual([card, strip]);
  expect(layout.step).toBeGreaterThanOrEqual(50);
});

it('keeps the size of the cards while some lie in the tray', () => {
  const layout = layoutHand(390, 780, 14, 11);
  expect(layout).toMatchObject({ rows: [6, 5], card: 64 });
});

it('lies in one row on a desk', () => {
  expect(layoutHand(1000, 900, 14, 14)).toMatchObject({ rows: [14], card: 96 });
  expect(layoutHand(1000, 900, 0, 0).rows).toEqual([]);
});

it.each([568, 640, 740])('lies in one row on a phone of %i px held sideways', (width) => {
  const layout = layoutHand(width - 8, 360, 14, 14);
  expect(layout.rows).toEqual([14]);
  expect(layout.card + 13 * layout.strip).toBeLessThanOrEqual(width - 8);
  expect(layout.strip).toBeGreaterThan(35);
});

it('lays a hand out for the card that comes and goes with each turn', () => {
  const turns = [13, 14, 13, 14, 11, 10, 11, 8, 7, 8];
  let room: number | null = null;
  const seen = turns.map((held) => (room = roomFor(held, room, true)));
  expect(seen).toEqual([14, 14, 14, 14, 11, 11, 11, 8, 8, 8]);
  expect(roomFor(10, null, false)).toBe(10);
  expect(roomFor(0, null, true)).toBe(0);
});
