import type { GameName } from '../games/game';
import type { Code, HandReplay, History, HistoryDetail, Leaderboard, Problem, Session } from '../protocol';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** Why, as far as it was told: a proxy may have answered. */
    readonly code: Code,
  ) {
    super(`HTTP ${status}`);
  }
}

async function json<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiError(response.status, problem?.code ?? 'unavailable');
}

function send(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  });
}

export async function post<T>(path: string, body: object): Promise<T> {
  return json(await send(path, body));
}

/** Whether the link to another device has been used, or has run out; false as long as nothing says so. */
export async function isHandedOver(token: string): Promise<boolean> {
  const answer = await send('/api/handover/look', { token }).catch(() => null);
  return answer?.status === 404;
}

/** Become a guest, or change the name; the answer holds the name as the server keeps it. */
export function postSession(name: string): Promise<Session> {
  return post('/api/session', { name });
}

export async function getHistory(): Promise<History> {
  return json(await fetch('/api/history'));
}

export async function getMatch(id: string): Promise<HistoryDetail> {
  return json(await fetch(`/api/history/${encodeURIComponent(id)}`));
}

/** A finished hand, step by step. */
export async function getReplay(match: string, hand: number): Promise<HandReplay> {
  return json(await fetch(`/api/history/${encodeURIComponent(match)}/hands/${hand}`));
}

/** The same of a hand that somebody has shared. */
export function getShared(token: string): Promise<HandReplay> {
  return post('/api/replay', { token });
}

export async function getLeaderboard(game: GameName): Promise<Leaderboard> {
  return json(await fetch(`/api/leaderboard/${game}`));
}
