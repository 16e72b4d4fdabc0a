// SHAKE-256 (FIPS 202): the stream that a shuffle is drawn from. Written for reading, not for speed: a hand needs
// a few blocks of it.

const MASK = (1n << 64n) - 1n;
/** Bytes of a block. */
export const RATE = 136;

const ROTATIONS = [
  [0n, 36n, 3n, 41n, 18n],
  [1n, 44n, 10n, 45n, 2n],
  [62n, 6n, 43n, 15n, 61n],
  [28n, 55n, 25n, 21n, 56n],
  [27n, 20n, 39n, 8n, 14n],
] as const;

/** The constants of the 24 rounds, from the linear feedback that defines them. */
const ROUNDS: readonly bigint[] = (() => {
  let register = 1;
  const next = () => {
    const bit = register & 1;
    register <<= 1;
    if (register & 0x100) register ^= 0x171;
    return bit;
  };
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let at = 0; at < 7; at++) if (next()) constant |= 1n << BigInt((1 << at) - 1);
    return constant;
  });
})();

const rotate = (lane: bigint, by: bigint) => ((lane << by) | (lane >> (64n - by))) & MASK;

/** The permutation of the state: 25 lanes, `state[x + 5 * y]`. */
function permute(state: bigint[]): void {
  const lane = (x: number, y: number) => state[(x % 5) + 5 * (y % 5)] as bigint;
  for (const round of ROUNDS) {
    const sums = [0, 1, 2, 3, 4].map((x) => lane(x, 0) ^ lane(x, 1) ^ lane(x, 2) ^ lane(x, 3) ^ lane(x, 4));
    const turned: bigint[] = [];
    for (let x = 0; x < 5; x++) {
      const mixed = (sums[(x + 4) % 5] as bigint) ^ rotate(sums[(x + 1) % 5] as bigint, 1n);
      for (let y = 0; y < 5; y++) {
        turned[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lane(x, y) ^ mixed, ROTATIONS[x]?.[y] ?? 0n);
      }
    }
    for (let y = 0; y < 25; y += 5) {
      for (let x = 0; x < 5; x++) {
        const [here, next, after] = [0, 1, 2].map((by) => turned[y + ((x + by) % 5)] as bigint);
        state[y + x] = (here as bigint) ^ (~(next as bigint) & MASK & (after as bigint));
      }
    }
    state[0] = (state[0] as bigint) ^ round;
  }
}

/** SHAKE-256 of some bytes: as many blocks as are taken, one after the other. */
export function* shake256(input: Uint8Array): Generator<Uint8Array, never> {
  const state = Array<bigint>(25).fill(0n);
  const padded = new Uint8Array(Math.ceil((input.length + 1) / RATE) * RATE);
  padded.set(input);
  padded[input.length] = 0x1f;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  for (let block = 0; block < padded.length; block += RATE) {
    const view = new DataView(padded.buffer, block, RATE);
    for (let at = 0; at < RATE / 8; at++) state[at] = (state[at] as bigint) ^ view.getBigUint64(8 * at, true);
    permute(state);
  }
  for (;;) {
    const out = new Uint8Array(RATE);
    const view = new DataView(out.buffer);
    for (let at = 0; at < RATE / 8; at++) view.setBigUint64(8 * at, state[at] as bigint, true);
    yield out;
    permute(state);
  }
}
