// Each page is a file of its own: who follows a link to a table needs no lobby, and the other way round.
export const loadLobby = () => import('./Lobby.svelte');
export const loadTable = () => import('./Table.svelte');
export const loadHistory = () => import('./History.svelte');
export const loadMatch = () => import('./Match.svelte');
export const loadRulesPage = () => import('./RulesPage.svelte');
export const loadHandover = () => import('./Handover.svelte');
export const loadReplay = () => import('./Replay.svelte');
