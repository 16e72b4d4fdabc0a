import { GAME_NAMES } from '../games';
import type { GameName } from '../games/game';

export type Route =
  | { page: 'lobby' }
  | { page: 'table'; id: string; token: string | null }
  | { page: 'history'; match: string | null }
  | { page: 'rules'; game: GameName };

/** Where an address leads; what is unknown leads to the lobby. */
export function parseRoute(path: string, hash: string): Route {
  const [first, second] = path.split('/').filter(Boolean);
  if (first === 't' && second) {
    // The token stays in the fragment: a fragment is never sent, so it is in no log.
    return { page: 'table', id: decodeURIComponent(second), token: hash.slice(1) || null };
  }
  if (first === 'history') return { page: 'history', match: second ? decodeURIComponent(second) : null };
  if (first === 'rules')
    return { page: 'rules', game: GAME_NAMES.find((name) => name === second) ?? 'konken' };
  return { page: 'lobby' };
}

export function tablePath(id: string, token: string | null = null): string {
  return `/t/${encodeURIComponent(id)}${token ? `#${token}` : ''}`;
}
