import type { Card, HandReplay } from '../protocol';
import { RATE, shake256 } from './keccak';
import { sha256 } from './sha256';

// The proof of a shuffle, computed anew from what was told: the hash before the deal, the seed and the nonces after it.
// This follows server/rules/shuffle.py and dealing.py; the pages' tests hold it to deals that the server made.

export interface Verdict {
  /** The seed is the one whose hash was shown before the deal. */
  readonly committed: boolean;
  /** Seed and nonces, dealt anew, give the cards that were played. */
  readonly dealt: boolean;
  /** How many cards were compared. */
  readonly cards: number;
}

const text = new TextEncoder();

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What the hash is of. */
export function commitmentOf(seed: string): string {
  return sha256(joined([text.encode('upcard seed'), bytesOf(seed)]));
}

/** Seed and nonces as one, each preceded by its length. */
function entropyOf(seed: string, nonces: readonly string[]): Uint8Array {
  const parts = [bytesOf(seed), ...nonces.map((nonce) => text.encode(nonce))];
  return joined(
    parts.flatMap((part) => {
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, part.length);
      return [length, part];
    }),
  );
}

/** Throws from a stream of bytes. */
class Dice {
  #blocks: Generator<Uint8Array, never>;
  #block: Uint8Array = new Uint8Array(0);
  #at = RATE;

  constructor(entropy: Uint8Array) {
    this.#blocks = shake256(entropy);
  }

  /** A number from 0 to n-1, all equally likely: what is too high is thrown again. */
  below(n: number): number {
    const bits = n < 2 ? 0 : 32 - Math.clz32(n - 1);
    for (;;) {
      let number = 0;
      for (let at = 0; at < Math.ceil(bits / 8); at++) number = number * 256 + this.#byte();
      number &= 2 ** bits - 1;
      if (number < n) return number;
    }
  }

  shuffled<T>(cards: readonly T[]): T[] {
    const order = [...cards];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] as T, order[last] as T];
    }
    return order;
  }

  #byte(): number {
    if (this.#at >= this.#block.length) {
      this.#block = this.#blocks.next().value;
      this.#at = 0;
    }
    return this.#block[this.#at++] as number;
  }
}

/** The pack before it is shuffled: suit by suit, the Jokers last. Which cards it has shows in the deal. */
export function packOf(cards: readonly Card[]): Card[] {
  const naturals = cards.filter((card) => !card.startsWith('JK'));
  const kinds = [...new Set(naturals)].sort(
    (a, b) => 'SHDC'.indexOf(a.charAt(1)) - 'SHDC'.indexOf(b.charAt(1)) || rankAt(a) - rankAt(b),
  );
  const copies = Math.round(naturals.length / Math.max(1, kinds.length));
  return [
    ...Array<Card[]>(copies).fill(kinds).flat(),
    ...Array<Card>(cards.length - naturals.length).fill('JK'),
  ];
}

const rankAt = (card: Card) => 'A23456789TJQK'.indexOf(card.charAt(0));

/** How the cards lie after a shuffle: hands by seat, the card that is turned, the stock. */
export function dealAnew(replay: Omit<HandReplay, 'steps' | 'result' | 'game' | 'players'>): Card[] {
  const { deal, turned, stock, dealer, seed, nonces } = replay;
  const dice = new Dice(entropyOf(seed, nonces));
  const all = [...deal.flat(), ...(turned === null ? [] : [turned]), ...stock];
  const shuffled = dice.shuffled(packOf(all));
  const [seats, size] = [deal.length, deal[0]?.length ?? 0];
  const hands = shuffled.slice(0, seats * size);
  const rest = shuffled.slice(seats * size);
  // A Joker is not turned up: it goes back to a random place, and the next card is turned.
  while (turned !== null && rest[0]?.startsWith('JK')) {
    const place = dice.below(rest.length);
    const [joker] = rest.splice(0, 1);
    rest.splice(place, 0, joker as Card);
  }
  const first = (dealer + 1) % seats;
  const bySeat = deal.flatMap((_, seat) => hands.filter((_, at) => (at + first) % seats === seat));
  return [...bySeat, ...rest];
}

/** Compute it all again, and compare. */
export function verify(replay: HandReplay): Verdict {
  const played = [...replay.deal.flat(), ...(replay.turned === null ? [] : [replay.turned]), ...replay.stock];
  const anew = dealAnew(replay);
  return {
    committed: commitmentOf(replay.seed) === replay.commit,
    dealt: anew.length === played.length && anew.every((card, at) => card === played[at]),
    cards: played.length,
  };
}
