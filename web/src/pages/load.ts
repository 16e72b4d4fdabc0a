// Each page is a file of its own: who follows a link to a table needs no lobby, and the other way round.
export const loadLobby = () => import('./Lobby.svelte');
export const loadTable = () => {
  // Most who follow a link find a table that waits: its seats come beside the page, not after the first frame.
  void loadWaiting().catch(() => {});
  return import('./Table.svelte');
};
export const loadWaiting = () => import('../table/Waiting.svelte');
export const loadHistory = () => import('./History.svelte');
export const loadMatch = () => import('./Match.svelte');
export const loadRulesPage = () => import('./RulesPage.svelte');
export const loadReplay = () => import('./Replay.svelte');
