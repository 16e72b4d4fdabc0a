import { mount } from 'svelte';
import App from './App.svelte';
import { app } from './state/app.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/table.css';

const target = document.getElementById('app');
if (target) {
  void app.prepare().then(() => {
    mount(App, { target });
    app.start();
  });
}
