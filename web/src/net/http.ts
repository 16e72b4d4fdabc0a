import type { Code, Problem, Session } from '../protocol';

// What no page can do without; what only some ask for is in api.ts.

export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** Why, as far as it was told: a proxy may have answered. */
    readonly code: Code,
  ) {
    super(`HTTP ${status}`);
  }
}

/** The body of an answer. Raises ApiError where it is a refusal. */
export async function json<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiError(response.status, problem?.code ?? 'unavailable');
}

export function send(path: string, body: object): Promise<Response> {
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

/** Become a guest, or change the name; the answer holds the name as the server keeps it. */
export function postSession(name: string): Promise<Session> {
  return post('/api/session', { name });
}
