import { untrack } from 'svelte';
import {
  isLang,
  loadOtherTexts,
  loadTableTexts,
  preferredLang,
  type Lang,
  type Messages,
  type Texts,
} from '../i18n';
import { parseRoute, tablePath, type Route } from '../lib/route';
import { ApiError, postSession } from '../net/http';
import { Link, type LinkState, type SocketLike } from '../net/link';
import { randomHex } from '../net/random';
import type { AnyServerMessage, Bye, Code, Quick, Session } from '../protocol';
import { LobbyStore } from './lobby.svelte';
import { TableStore } from './table.svelte';

export type Theme = 'auto' | 'light' | 'dark';
const TICK = 250;
/** A server that could not show us something is asked again after this (ms). */
const ASK_AGAIN = 2_000;

function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing asks for the name again next time.
  }
}

function readLang(): Lang {
  const kept = remembered('upcard.lang');
  return isLang(kept) ? kept : preferredLang(navigator.languages);
}

/** Whether somebody looks into a sheet, or has written what is not sent. */
const isBusy = () =>
  document.querySelector('dialog[open]') ??
  [...document.querySelectorAll('input')].find((field) => field.value !== field.defaultValue);

/** What all pages share: who we are, where we are, the line and how things look. */
class App {
  route: Route = $state.raw(parseRoute(location.pathname, location.hash));
  line: LinkState = $state.raw('connecting');
  lang: Lang = $state.raw(readLang());
  theme: Theme = $state.raw((remembered('upcard.theme') as Theme | null) ?? 'auto');
  fourColours = $state(remembered('upcard.deck') === 'four');
  /** Sounds and buzzes when it is one's turn. */
  sound = $state(remembered('upcard.sound') !== 'off');
  /** Cards that fly; whoever wants less motion on the whole device needs not say so again here. */
  motion = $state(remembered('upcard.motion') !== 'off');
  /** The name as the server keeps it. */
  name = $state(remembered('upcard.name') ?? '');
  /** Whether the player has chosen a name, rather than being a guest. */
  named = $state(remembered('upcard.named') === 'yes');
  /** The texts of that language: those of a table are there before anything is drawn. */
  texts: Texts = $state.raw({} as Texts);
  table: TableStore | null = $state.raw(null);
  /** Why the server has closed the line, until it stands again. */
  bye: Bye['reason'] | null = $state.raw(null);
  reloadWanted = $state(false);
  /** The server's time, ticking. */
  now = $state(0);
  readonly lobby = new LobbyStore();
  readonly link: Link;
  /** The server's id of this client's own build; unknown while developing. */
  #build: string | null = (import.meta.env.VITE_BUILD as string | undefined) ?? null;

  /** The table that the line named, so that the others of it are at its end, where the house sees to that. */
  #lineFor: string | undefined;
  #gathered = false;

  #askTimer: ReturnType<typeof setTimeout> | undefined;

  /** Names that the server has not confirmed yet. */
  #renaming = 0;
  #asking: Promise<Session> | null = null;

  constructor() {
    this.link = new Link(
      {
        open: () => {
          this.#lineFor = this.table?.id;
          const place = this.table ? `?table=${this.table.id}` : '';
          return new WebSocket(`${location.origin.replace('http', 'ws')}/ws${place}`) as SocketLike;
        },
        session: (fresh) => this.#ensureSession(fresh),
        lang: () => this.lang,
      },
      { message: (message) => this.#receive(message), state: (state) => (this.line = state) },
    );
  }

  /** Every text. Only parts that came with them may read it (`complete`): while a hand is drawn they may not be there. */
  get t(): Messages {
    return this.texts as Messages;
  }

  /** Load what has to be there before the first picture. */
  async prepare(): Promise<void> {
    const lang = untrack(() => this.lang);
    const texts = await loadTableTexts(lang);
    if (lang === this.lang) this.texts = { ...this.texts, ...texts };
  }

  /** Load the texts that no table waits for. */
  async complete(): Promise<void> {
    // A page that loads itself with this is not to be made anew when the language changes (Lazy.svelte).
    const lang = untrack(() => this.lang);
    const texts = await loadOtherTexts(lang);
    if (lang === this.lang && this.texts.codes !== texts.codes) this.texts = { ...this.texts, ...texts };
  }

  start(): void {
    window.addEventListener('popstate', () => this.#arrive());
    window.addEventListener('online', () => this.link.wake());
    window.addEventListener('pageshow', () => this.link.wake());
    window.addEventListener('pagehide', () => this.table?.keep());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.link.wake();
      else this.table?.keep();
    });
    setInterval(() => {
      this.now = this.link.clock.now();
      if (this.reloadWanted) this.#maybeReload();
    }, TICK);
    this.#dress();
    this.#arrive();
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.#arrive();
    window.scrollTo(0, 0);
  }

  /** The way on from here, for what waits for an answer: nobody is taken along it who has gone elsewhere meanwhile. */
  goFromHere(): (path: string) => void {
    const here = this.route;
    return (path) => {
      if (this.route === here) this.go(path);
    };
  }

  #arrive(): void {
    this.route = parseRoute(location.pathname, location.hash);
    const id = this.route.page === 'table' ? this.route.id : null;
    if (this.table && this.table.id !== id) {
      this.link.unwatch(this.table.id);
      this.table.close();
      this.table = null;
    }
    if (this.route.page === 'table') {
      this.table ??= new TableStore(this.route.id, this.link, sessionStorage);
      this.#watch(this.table);
      this.#gather();
    }
    this.#followLobby(this.route.page === 'lobby');
    // Whoever is about to become somebody else needs no guest's name before.
    if (this.route.page !== 'handover') this.link.start();
  }

  #watch(table: TableStore): void {
    const token = this.route.page === 'table' ? this.route.token : null;
    table.awaited = true;
    this.link.watch(table.id, token, () => table.seen);
  }

  #followLobby(on: boolean): void {
    this.lobby.awaited = on;
    this.link.followLobby(on);
  }

  #gather(): void {
    if (this.#gathered && this.table && this.table.id !== this.#lineFor) this.link.move();
  }

  #receive(message: AnyServerMessage): void {
    switch (message.t) {
      case 'welcome':
        this.bye = null;
        // The link asks for both again.
        if (this.table) this.table.awaited = true;
        this.lobby.awaited = this.route.page === 'lobby';
        // A socket that was opened under the old name is just being told the new one.
        if (this.#renaming === 0) this.#take(message.name);
        this.lobby.own = message.tables;
        this.#build ??= message.build;
        if (message.build !== this.#build) this.reloadWanted = true;
        this.#gathered = message.gathered ?? false;
        this.#gather();
        break;
      case 'lobby':
        this.lobby.receive(message);
        break;
      case 'frame':
        if (message.table === this.table?.id) {
          this.table.receive(message);
          this.now = this.link.clock.now();
        }
        break;
      case 'gone':
        if (message.table === this.table?.id) this.table.lost(message.code);
        break;
      case 'said':
        if (message.table === this.table?.id) this.table.hear(message, this.link.clock.now());
        break;
      case 'refused':
        // What has no id was no order: the server could not even show us the table or the lobby.
        if (message.id === '') this.#notServed(message.code);
        break;
      case 'bye':
        this.bye = message.reason;
        if (message.reason === 'reload') this.reloadWanted = true;
        break;
    }
  }

  #notServed(code: Code): void {
    this.table?.complain(code);
    if (code !== 'unavailable' && code !== 'rate_limited') return;
    // Which of the two it was is not said: whatever has not been shown since it was asked for is asked for again.
    clearTimeout(this.#askTimer);
    this.#askTimer = setTimeout(() => {
      if (this.table?.awaited) this.#watch(this.table);
      if (this.lobby.awaited) this.#followLobby(true);
    }, ASK_AGAIN);
  }

  /** Take a new client that is out: between hands, so that nobody loses a half-built meld, nor a half-written word. */
  #maybeReload(): void {
    const frame = this.table?.frame;
    if ((frame?.you != null && frame.view.phase === 'playing') || isBusy()) return;
    // Once a minute at most: a server that keeps asking must not turn into a flickering page.
    const last = Number(sessionStorage.getItem('upcard.reloaded') ?? 0);
    if (Date.now() - last < 60_000) return;
    sessionStorage.setItem('upcard.reloaded', String(Date.now()));
    location.reload();
  }

  async #ensureSession(fresh: boolean): Promise<void> {
    if (!fresh && remembered('upcard.name')) return;
    // Without a name the server gives a guest's, or keeps the one it knows this browser by.
    this.#asking = postSession(this.name);
    this.#take((await this.#asking).name);
  }

  #take(name: string): void {
    this.name = name;
    remember('upcard.name', name);
  }

  /** Take a name; resolves with what went wrong, or null. */
  async rename(name: string): Promise<'bad' | 'failed' | null> {
    this.#renaming += 1;
    try {
      // A first session that is still asked for would be another guest's, and come later.
      await this.#asking?.catch(() => {});
      this.#take((await postSession(name)).name);
    } catch (error) {
      this.#renaming -= 1;
      return error instanceof ApiError && error.status < 500 ? 'bad' : 'failed';
    }
    this.named = true;
    remember('upcard.named', 'yes');
    // The cookie has it for the next socket; this one, and the tables where we sit, are told.
    const told = this.link.order({ t: 'rename', name }).finally(() => (this.#renaming -= 1));
    return this.line === 'open' && (await told).t === 'refused' ? 'failed' : null;
  }

  /** This browser has become the player of another device: begin anew as that one, at a place of theirs if it is still wanted. */
  become(session: Session, path: string, from: Route): void {
    this.#take(session.name);
    remember('upcard.named', 'yes');
    if (this.route === from) location.replace(path);
    else location.reload();
  }

  async setLang(lang: Lang): Promise<void> {
    const [texts, others] = await Promise.all([loadTableTexts(lang), loadOtherTexts(lang)]);
    [this.texts, this.lang] = [{ ...texts, ...others }, lang];
    remember('upcard.lang', lang);
    this.#dress();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    remember('upcard.theme', theme);
    this.#dress();
  }

  setFourColours(on: boolean): void {
    this.fourColours = on;
    remember('upcard.deck', on ? 'four' : 'two');
    this.#dress();
  }

  setSound(on: boolean): void {
    this.sound = on;
    remember('upcard.sound', on ? 'on' : 'off');
  }

  setMotion(on: boolean): void {
    this.motion = on;
    remember('upcard.motion', on ? 'on' : 'off');
    this.#dress();
  }

  #dress(): void {
    const root = document.documentElement;
    root.lang = this.lang;
    root.dataset.deck = this.fourColours ? 'four' : 'two';
    root.dataset.motion = this.motion ? 'on' : 'off';
    if (this.theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
  }
}

export const app = new App();

/** Sit down at a table and go there; resolves with the refusal, or null. */
export async function sitAt(table: string, seat: number | null = null) {
  const go = app.goFromHere();
  const answer = await app.link.order(seat === null ? { t: 'sit', table } : { t: 'sit', table, seat });
  if (answer.t === 'refused' && answer.code !== 'already_seated') return answer;
  if (app.route.page !== 'table' || app.route.id !== table) go(tablePath(table));
  return null;
}

/** Sit down with whoever waits for a quick match, and go there; resolves with the refusal, or null. */
export async function playNow(game: Quick['game']) {
  const go = app.goFromHere();
  const answer = await app.link.order({ t: 'quick', game, nonce: randomHex(32) });
  if (answer.t === 'refused') return answer;
  go(tablePath(answer.table ?? ''));
  return null;
}
