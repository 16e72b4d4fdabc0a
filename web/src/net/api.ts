import type { HandReplay, History, HistoryDetail, Session } from '../protocol';

export class ApiError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

async function json<T>(response: Response): Promise<T> {
  if (!response.ok) throw new ApiError(response.status);
  return (await response.json()) as T;
}

/** Become a guest, or change the name; the answer holds the name as the server keeps it. */
export async function postSession(name: string): Promise<Session> {
  return json(
    await fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(5_000),
    }),
  );
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
