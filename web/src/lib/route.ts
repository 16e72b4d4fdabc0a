import { GAME_NAMES } from '../games';
import type { GameName } from '../games/game';

export type Route =
  | { page: 'lobby' }
  | { page: 'table'; id: string; token: string | null }
  | { page: 'history'; match: string | null; hand: number | null }
  | { page: 'replay'; token: string }
  | { page: 'leaderboard'; game: GameName }
  | { page: 'rules'; game: GameName }
  | { page: 'handover'; token: string; table: string | null };

/** Where an address leads; what is unknown leads to the lobby. */
export function parseRoute(path: string, hash: string): Route {
  const [first, second, third] = path.split('/').filter(Boolean);
  if (first === 't' && second) {
    // The token stays in the fragment: a fragment is never sent, so it is in no log.
    return { page: 'table', id: decodeURIComponent(second), token: hash.slice(1) || null };
  }
  if (first === 'history') {
    const hand = /^\d{1,4}$/.test(third ?? '') ? Number(third) : null;
    return { page: 'history', match: second ? decodeURIComponent(second) : null, hand };
  }
  if (first === 'handover') {
    const [token = '', at] = hash.slice(1).split('.');
    return { page: 'handover', token, table: at ? decodeURIComponent(at) : null };
  }
  if (first === 'replay') return { page: 'replay', token: hash.slice(1) };
  if (first === 'rules' || first === 'leaderboard')
    return { page: first, game: GAME_NAMES.find((name) => name === second) ?? 'konken' };
  return { page: 'lobby' };
}

export function replayPath(match: string, hand: number): string {
  return `/history/${encodeURIComponent(match)}/${hand}`;
}

/** Where a hand is seen by whoever has been given the link. */
export function sharedPath(token: string): string {
  return `/replay#${token}`;
}

/** Where another device becomes the same player, and goes to a table of theirs. */
export function handoverPath(token: string, table: string | null): string {
  return `/handover#${token}${table ? `.${encodeURIComponent(table)}` : ''}`;
}

export function tablePath(id: string, token: string | null = null): string {
  return `/t/${encodeURIComponent(id)}${token ? `#${token}` : ''}`;
}
