/** The server's time, as far as this client can tell. Only the server decides; this serves countdowns. */
export class Clock {
  #offset: number | null = null;
  #bestTrip = Infinity;

  /** `local` must be monotonic: a player who sets the computer's clock must not move a countdown. */
  constructor(private readonly local: () => number = () => performance.now()) {}

  /** Server time in milliseconds; 0 before the first message. */
  now(): number {
    return this.#offset === null ? 0 : this.local() + this.#offset;
  }

  /** A round trip: the server looked at its clock about half-way between `sent` and now. */
  answered(serverNow: number, sent: number): void {
    const trip = this.local() - sent;
    // A slow answer tells less than an earlier quick one, but a fresh one counts more as time goes by.
    this.#bestTrip *= 1.2;
    if (trip > this.#bestTrip && this.#offset !== null) return;
    this.#bestTrip = trip;
    this.#offset = serverNow + trip / 2 - this.local();
  }

  /** A message under way for an unknown time: the server's clock cannot be behind it. */
  told(serverNow: number): void {
    const least = serverNow - this.local();
    // Far ahead of what we were told means that our own clock stood still, as in a suspended tab.
    if (this.#offset === null || least > this.#offset || this.#offset - least > 5_000) {
      this.#offset = least;
      this.#bestTrip = Infinity;
    }
  }
}
