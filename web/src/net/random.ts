/** `bytes` random bytes in hex. Works on plain http too, unlike crypto.randomUUID. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** An id for a command. */
export function randomId(): string {
  return randomHex(12);
}
