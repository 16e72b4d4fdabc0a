import type { GameName } from '../games/game';
import type { HandReplay, History, HistoryDetail, Leaderboard } from '../protocol';
import { json, post, send } from './http';

/** Whether the link to another device has been used, or has run out; false as long as nothing says so. */
export async function isHandedOver(token: string): Promise<boolean> {
  const answer = await send('/api/handover/look', { token }).catch(() => null);
  return answer?.status === 404;
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
