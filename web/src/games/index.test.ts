import { expect, it } from 'vitest';
import { cardsToMeld, targetOf } from './index';

it('knows what a duel is won with', () => {
  expect(cardsToMeld(null)).toBe(11);
  expect(cardsToMeld({ options: { game: 'conquian' } })).toBe(11);
  expect(cardsToMeld({ options: { game: 'conquian', deal: 8 } })).toBe(9);
});

it('knows what a match is played to, where points decide it', () => {
  expect(targetOf({ game: 'konken', options: { game: 'konken' } })).toBe(500);
  expect(targetOf({ game: 'conker', options: { game: 'conker', target: 200 } })).toBe(200);
  expect(targetOf({ game: 'conquian', options: { game: 'conquian' } })).toBeNull();
});
