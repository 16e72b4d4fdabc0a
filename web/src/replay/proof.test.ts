import { describe, expect, it } from 'vitest';
import type { HandReplay } from '../protocol';
import deals from './deals.json';
import { shake256 } from './keccak';
import { packOf, verify } from './proof';
import { sha256 } from './sha256';

/** Deals that the server made (rules.layout of a seed), by game; the last has a Joker where the upcard lies. */
const HANDS = Object.entries(deals).map(([name, hand]): [string, HandReplay] => [
  name,
  {
    ...hand,
    game: hand.game as HandReplay['game'],
    deal: hand.deal.map((cards) => cards.split(' ')),
    stock: hand.stock.split(' '),
    hand_no: 1,
    players: [],
    steps: [],
    result: { ending: 'void', winners: [], points: [], penalties: [], hands: [] },
    share: '',
  },
]);
const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + 7) % 256);

/** What `hashlib.sha256(hashlib.shake_256(…).digest(408))` of Python gives, by the number of bytes. */
const STREAMS = [
  [0, 'af88897564a860a6e9425c78e2fa27a5c43ffa63a7c29968bdf74383ef172299'],
  [1, '3ec241788b4ea90392dd4b0a35dc5eb6d545367f3e5d6b45d37f7b397fb0a7d9'],
  [135, '0fb365a2597a0cf7ef2bd087f9e2ab30c4a38f1124769e88e732685844c61bc5'],
  [136, '35cb5d233d7ae6403159703767f0bcc7a3041f688d97e45607d33b1e59685208'],
  [137, '2f73a0e0b3bb751eaf2727948f6fbd7a57fe802e383638b34cb981bcb4764ff2'],
  [300, '51b2abfc8e1bc7babf90ab4097eb9c5ebaaa4db200888d12294a1a1774a18298'],
] as const;

describe('the hashes', () => {
  it.each([0, 1, 55, 56, 63, 64, 107, 500])('are the standard’s for %i bytes', async (length) => {
    const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(length)));
    expect(sha256(bytes(length))).toBe(
      [...expected].map((one) => one.toString(16).padStart(2, '0')).join(''),
    );
  });

  it.each(STREAMS)('give the standard’s stream for %i bytes', (length, expected) => {
    const blocks = shake256(bytes(length));
    const stream = [blocks.next().value, blocks.next().value, blocks.next().value];
    expect(sha256(Uint8Array.from(stream.flatMap((block) => [...block])))).toBe(expected);
  });
});

describe('the proof', () => {
  it.each(HANDS)('holds for a deal of the server: %s', (_, hand) => {
    expect(verify(hand)).toEqual({
      committed: true,
      dealt: true,
      cards: hand.deal.flat().length + (hand.turned ? 1 : 0) + hand.stock.length,
    });
  });

  it.each(HANDS)('fails where two cards were exchanged: %s', (_, hand) => {
    const stock = [...hand.stock];
    const other = stock.findIndex((card) => card !== stock[0]);
    [stock[0], stock[other]] = [stock[other] as string, stock[0] as string];
    expect(verify({ ...hand, stock })).toMatchObject({ committed: true, dealt: false });
  });

  it.each(HANDS)('fails for another seed or another nonce: %s', (_, hand) => {
    const seed = hand.seed.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(verify({ ...hand, seed })).toMatchObject({ committed: false, dealt: false });
    expect(verify({ ...hand, nonces: ['ff', ...hand.nonces.slice(1)] })).toMatchObject({ dealt: false });
  });
});

describe('the pack', () => {
  it('is in order, copy by copy, the Jokers last', () => {
    expect(packOf(['JK', '3H', 'AS', '3H', 'KC', 'AS', 'KC'])).toEqual([
      'AS',
      '3H',
      'KC',
      'AS',
      '3H',
      'KC',
      'JK',
    ]);
  });
});
