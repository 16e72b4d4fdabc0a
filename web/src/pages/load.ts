import type { Route } from '../lib/route';

// Each page is a file of its own: who follows a link to a table needs no lobby, and the other way round.
export const loadLobby = () => import('./Lobby.svelte');
export const loadTable = () => {
  // Most who come to a table come before its first hand. If this part fails, whoever shows it says so.
  void loadWaiting().catch(() => null);
  return import('./Table.svelte');
};
export const loadWaiting = () => import('../table/Waiting.svelte');
export const loadHistory = () => import('./History.svelte');
export const loadMatch = () => import('./Match.svelte');
export const loadRulesPage = () => import('./RulesPage.svelte');
export const loadHandover = () => import('./Handover.svelte');
export const loadLeaderboard = () => import('./Leaderboard.svelte');
export const loadReplay = () => import('./Replay.svelte');

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
