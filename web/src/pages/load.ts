import type { Route } from '../lib/route';
import { app } from '../state/app.svelte';

/** A part that says more than a table does comes with those texts. */
export function worded<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => (await Promise.all([load(), app.complete()]))[0];
}

// Each page is a file of its own: who follows a link to a table needs no lobby, and the other way round.
export const loadLobby = worded(() => import('./Lobby.svelte'));
export const loadTable = () => import('./Table.svelte');
export const loadWaiting = worded(() => import('../table/Waiting.svelte'));
export const loadHistory = worded(() => import('./History.svelte'));
export const loadMatch = worded(() => import('./Match.svelte'));
export const loadRulesPage = worded(() => import('./RulesPage.svelte'));
export const loadHandover = worded(() => import('./Handover.svelte'));
export const loadLeaderboard = worded(() => import('./Leaderboard.svelte'));
export const loadReplay = worded(() => import('./Replay.svelte'));

/** What a page is made of. */
export function loadPage(route: Route): Promise<unknown> {
  switch (route.page) {
    case 'lobby':
      return loadLobby();
    case 'table':
      return loadTable();
    case 'handover':
      return loadHandover();
    case 'rules':
      return loadRulesPage();
    case 'leaderboard':
      return loadLeaderboard();
    case 'replay':
      return loadReplay();
    case 'history':
      return route.match ? (route.hand === null ? loadMatch() : loadReplay()) : loadHistory();
  }
}
