// SHA-256 (FIPS 180-4). The browser's own is there on https only, and a house at home has none.

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => Math.floor((root % 1) * 2 ** 32) >>> 0;
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && Array.from({ length: n }, (_, d) => d).every((d) => d < 2 || n % d !== 0),
);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));

const right = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The hash of some bytes, in hex. */
export function sha256(input: Uint8Array): string {
  const length = Math.ceil((input.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(input);
  padded[input.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 4, input.length * 8);
  const hash = [...START];
  for (let block = 0; block < length; block += 64) {
    const words = Array.from({ length: 16 }, (_, at) => view.getUint32(block + 4 * at));
    const word = (at: number) => words[at] as number;
    for (let at = 16; at < 64; at++) {
      const [early, late] = [word(at - 15), word(at - 2)];
      const low = right(early, 7) ^ right(early, 18) ^ (early >>> 3);
      const high = right(late, 17) ^ right(late, 19) ^ (late >>> 10);
      words[at] = (word(at - 16) + low + word(at - 7) + high) >>> 0;
    }
    let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const first =
        h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + choice + (ROUNDS[at] as number) + word(at);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const second = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, at) => (hash[at] = ((hash[at] as number) + value) >>> 0));
  }
  return hash.map((value) => value.toString(16).padStart(8, '0')).join('');
}
