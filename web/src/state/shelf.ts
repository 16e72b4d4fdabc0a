/** What a browser keeps between two loads. Storage may be full or forbidden; then it just forgets. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export function readShelf<T>(shelf: Shelf, key: string): T | null {
  try {
    return JSON.parse(shelf.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

export function writeShelf(shelf: Shelf, key: string, value: unknown): void {
  try {
    shelf.setItem(key, JSON.stringify(value));
  } catch {
    // Forgetting an order of cards is no reason to stop playing.
  }
}
