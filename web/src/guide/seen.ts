import { readShelf, writeShelf, type Shelf } from '../state/shelf';

const KEY = 'upcard.guided';

/** What this browser keeps for good; a browser that forbids it keeps nothing. */
function shelf(): Shelf {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => {} };
  }
}

/** Whether somebody has been guided through a first turn of this game here. */
export function wasGuided(game: string): boolean {
  return (readShelf<string[]>(shelf(), KEY) ?? []).includes(game);
}

export function setGuided(game: string): void {
  const before = readShelf<string[]>(shelf(), KEY) ?? [];
  if (!before.includes(game)) writeShelf(shelf(), KEY, [...before, game]);
}
