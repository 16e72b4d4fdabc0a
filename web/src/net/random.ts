/** `bytes` random bytes in hex. Works on plain http too, unlike crypto.randomUUID. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

const page = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(6))));
let count = 0;

/** An id for a command: of this page, and of none before it. Short, as a table keeps the last 64 of each player. */
export function freshId(): string {
  return page + (++count).toString(36);
}
