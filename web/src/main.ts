import { mount } from 'svelte';
import App from './App.svelte';
import { loadLobby, loadTable } from './pages/load';
import { app } from './state/app.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/table.css';

/** The other page is fetched once this one is at rest: the way there must not wait, nor break when the server restarts. */
const REST = 2_000;
const target = document.getElementById('app');
const [first, other] = app.route.page === 'table' ? [loadTable, loadLobby] : [loadLobby, loadTable];
const page = first().catch(() => null);

if (target) {
  void app.prepare().then(async () => {
    await page;
    mount(App, { target });
    app.start();
    setTimeout(() => void other().catch(() => null), REST);
  });
}
