import { mount } from 'svelte';
import App from './App.svelte';
import { ahead } from './lib/later';
import { loadLobby, loadPage, loadTable, loadWaiting } from './pages/load';
import { app } from './state/app.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/table.css';

/** Where people go from here is fetched once this page is at rest: the way there must not wait, nor break when the server restarts. */
const REST = 2_000;
const target = document.getElementById('app');
const page = loadPage(app.route).catch(() => null);

if (target) {
  // The server is asked while texts and page are still on their way: its answer is there when they are.
  app.start();
  void app.prepare().then(async () => {
    await page;
    mount(App, { target });
    setTimeout(() => ahead(loadLobby, loadTable, loadWaiting), REST);
  });
}
