import type { LobbyRow, LobbyRows, OwnTable } from '../protocol';

/** Whether one may sit down at a table. A seat that somebody left may be taken between two hands as well. */
export const hasRoom = (row: LobbyRow) => row.phase !== 'playing' && row.seats.includes(null);

/** The tables that everyone may see, as far as they are shown. The higher version of a row wins. */
export class LobbyStore {
  rows: readonly LobbyRow[] = $state.raw([]);
  own: readonly OwnTable[] = $state.raw([]);
  /** How many tables there are besides. */
  more = $state(0);
  loaded = $state(false);
  /** It has been asked for, and what is shown until the answer comes may be old. */
  awaited = false;

  receive(message: LobbyRows): void {
    if (message.own) this.own = message.own;
    if (message.full) {
      this.loaded = true;
      this.awaited = false;
    }
    this.more = message.more ?? 0;
    const known = new Map(this.rows.map((row) => [row.table, row]));
    const rows = new Map(message.full ? [] : known);
    for (const row of message.rows) {
      const old = known.get(row.table);
      rows.set(row.table, old && old.v > row.v ? old : row);
    }
    for (const table of message.gone ?? []) rows.delete(table);
    // The order stays, so that no row jumps away from under a finger.
    this.rows = [...rows.values()];
  }

  /** Tables one can sit down at come first; within both kinds the order of arrival stays. */
  get listed(): LobbyRow[] {
    return [...this.rows.filter(hasRoom), ...this.rows.filter((row) => !hasRoom(row))];
  }
}
