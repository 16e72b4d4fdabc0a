import {
  PROTOCOL,
  type AnyClientMessage,
  type AnyServerMessage,
  type Ack,
  type Arranged,
  type Checked,
  type Refusal,
} from '../protocol';
import { Clock } from './clock';
import { Frames } from './complete';
import { freshId } from './random';

export type LinkState = 'connecting' | 'open' | 'lost';
type Command = Extract<AnyClientMessage, { id: string }>;
/** Omit that keeps the members of a union apart. */
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type Order = WithoutId<Exclude<Command, { t: 'check' | 'arrange' }>>;
export type CheckOrder = Omit<Extract<Command, { t: 'check' }>, 'id' | 't'>;
export type Answer = Ack | Refusal;

/** The part of a WebSocket that is used, so that tests can play the other side. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Ports {
  open(): SocketLike;
  /** Make sure that the browser has a session cookie; `fresh` when the server did not know the last one. */
  session(fresh: boolean): Promise<void>;
  lang(): string;
  random?(): number;
}

interface Watched {
  readonly token: string | null;
  /** The last version that was shown, so that the server can tell what was missed since. */
  readonly seen: () => number | null;
}

export interface Listener {
  message(message: AnyServerMessage): void;
  state(state: LinkState): void;
}

export const PING_EVERY = 4_000;
export const ANSWER_WITHIN = 4_000;
export const CONNECT_WITHIN = 5_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
const UNKNOWN_SESSION = 4401;
const SERVER_RESTARTS = 1012;

/** Be deaf to whatever it still says. */
function close(socket: SocketLike | null): null {
  if (!socket) return null;
  socket.onopen = socket.onmessage = socket.onclose = null;
  try {
    socket.close();
  } catch {
    // A socket that never opened may refuse to be closed; it is gone either way.
  }
  return null;
}

/**
 * The one line to the server. It never gives up, keeps every command until it is answered and sends it again
 * with the same id on the next socket; the server applies it once.
 */
export class Link {
  readonly clock = new Clock();
  #socket: SocketLike | null = null;
  /** Takes over from it as soon as it is welcome. */
  #next: SocketLike | null = null;
  /** What has been taken over from: it stays until the new one shows something, or the seat would be away for a moment. */
  #old: SocketLike | null = null;
  #state: LinkState = 'connecting';
  #running = false;
  #greeted = false;
  #tries = 0;
  #freshSession = false;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #connectLimit: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;
  #answerLimit: ReturnType<typeof setTimeout> | undefined;
  #pingSent: number | null = null;
  #unanswered = new Map<string, { text: string; done: (answer: Answer) => void }>();
  #questions = new Map<string, (answer: Checked | Arranged | Refusal | null) => void>();
  #watched = new Map<string, Watched>();
  #lobby = false;

  constructor(
    private readonly ports: Ports,
    private readonly listener: Listener,
  ) {}

  get state(): LinkState {
    return this.#state;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#connect();
  }

  stop(): void {
    this.#running = false;
    this.#drop();
    clearTimeout(this.#retry);
  }

  /** The page woke up, or the network came back: look at once whether the line still stands. */
  wake(): void {
    if (!this.#running) return;
    if (this.#greeted) this.#ping();
    else if (this.#retry !== undefined) {
      this.#tries = 0;
      void this.#connect();
    }
  }

  /** Give an order; resolves with its answer, however many sockets that takes. */
  order(order: Order): Promise<Answer> {
    const id = freshId();
    const text = JSON.stringify({ ...order, id });
    return new Promise((done) => {
      this.#unanswered.set(id, { text, done });
      if (this.#greeted) this.#send(text);
    });
  }

  /** Ask what a move would do; null when the line broke before the answer. */
  check(order: CheckOrder): Promise<Checked | Refusal | null> {
    return this.#ask({ t: 'check', ...order }) as Promise<Checked | Refusal | null>;
  }

  /** Ask for the best melds of one's own hand; null when the line broke before the answer. */
  arrange(table: string): Promise<Arranged | Refusal | null> {
    return this.#ask({ t: 'arrange', table }) as Promise<Arranged | Refusal | null>;
  }

  /** A question is not worth asking again on the next socket: by then it is another one. */
  #ask(question: WithoutId<Command>): Promise<Checked | Arranged | Refusal | null> {
    if (!this.#greeted) return Promise.resolve(null);
    const id = freshId();
    return new Promise((done) => {
      this.#questions.set(id, done);
      this.#send(JSON.stringify({ ...question, id }));
    });
  }

  watch(table: string, token: string | null, seen: () => number | null = () => null): void {
    this.#watched.set(table, { token, seen });
    if (this.#greeted) this.#sendWatch(table);
  }

  unwatch(table: string): void {
    if (this.#watched.delete(table) && this.#greeted) this.#say({ t: 'unwatch', table });
  }

  followLobby(on: boolean): void {
    this.#lobby = on;
    if (this.#greeted) this.#say({ t: 'lobby', on });
  }

  /** A new socket would be brought to a better place: open one, and keep to the old one until it is welcome there. */
  move(): void {
    if (!this.#greeted) return;
    close(this.#next);
    this.#next = this.#open();
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const attempt = ++this.#attempt;
    if (this.#state !== 'lost') this.#setState('connecting');
    try {
      await this.ports.session(this.#freshSession);
      this.#freshSession = false;
    } catch {
      if (attempt === this.#attempt) this.#again();
      return;
    }
    if (attempt !== this.#attempt || !this.#running) return;
    this.#connectLimit = setTimeout(() => this.#lose(), CONNECT_WITHIN);
    this.#socket = this.#open();
  }

  #open(): SocketLike {
    const socket = this.ports.open();
    socket.onopen = () =>
      socket.send(JSON.stringify({ t: 'hello', protocol: PROTOCOL, lang: this.ports.lang() }));
    const frames = new Frames();
    socket.onmessage = (event) => {
      const told = JSON.parse(String(event.data)) as AnyServerMessage;
      if (socket === this.#next && told.t === 'welcome') this.#takeOver(socket);
      if (socket !== this.#socket) return;
      this.#receive(told.t === 'frame' ? frames.complete(told) : told);
      if (told.t === 'frame' || told.t === 'gone') this.#old = close(this.#old);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lose(event.code);
    };
    return socket;
  }

  #takeOver(socket: SocketLike): void {
    const old = this.#socket;
    this.#socket = this.#next = null;
    this.#drop();
    this.#socket = socket;
    this.#old = old;
  }

  #receive(message: AnyServerMessage): void {
    clearTimeout(this.#answerLimit);
    this.#answerLimit = undefined;
    switch (message.t) {
      case 'welcome':
        this.#welcomed(message.now);
        break;
      case 'pong':
        if (this.#pingSent !== null) this.clock.answered(message.now, this.#pingSent);
        this.#pingSent = null;
        break;
      case 'frame':
        this.clock.told(message.now);
        break;
      case 'ack':
      case 'refused':
        this.#answered(message);
        break;
      case 'checked':
      case 'arranged':
        this.#questions.get(message.id)?.(message);
        this.#questions.delete(message.id);
        break;
      case 'gone':
        this.#watched.delete(message.table);
        break;
    }
    this.listener.message(message);
  }

  #welcomed(now: number): void {
    clearTimeout(this.#connectLimit);
    this.clock.told(now);
    this.#greeted = true;
    this.#tries = 0;
    this.#setState('open');
    if (this.#lobby) this.#say({ t: 'lobby', on: true });
    for (const table of this.#watched.keys()) this.#sendWatch(table);
    for (const { text } of this.#unanswered.values()) this.#send(text);
    this.#ping();
  }

  #answered(answer: Answer): void {
    const order = this.#unanswered.get(answer.id);
    this.#unanswered.delete(answer.id);
    order?.done(answer);
    if (answer.t === 'refused') {
      this.#questions.get(answer.id)?.(answer);
      this.#questions.delete(answer.id);
    }
  }

  #ping(): void {
    clearTimeout(this.#pingTimer);
    this.#pingSent = performance.now();
    this.#say({ t: 'ping' });
    // Silence is how a half-open line shows: nothing closes it, nothing comes.
    this.#answerLimit ??= setTimeout(() => this.#lose(), ANSWER_WITHIN);
    this.#pingTimer = setTimeout(() => this.#ping(), PING_EVERY);
  }

  #lose(code?: number): void {
    this.#drop();
    if (code === UNKNOWN_SESSION) this.#freshSession = true;
    this.#setState('lost');
    // All of a server's clients come back at the same time: spread them.
    if (this.#running) this.#again(code === SERVER_RESTARTS ? 1_500 : 0);
  }

  #again(spread = 0): void {
    const random = this.ports.random ?? Math.random;
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries) + spread;
    this.#tries += 1;
    this.#setState('lost');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), longest * (0.5 + random() / 2));
  }

  /** Let go of the line. */
  #drop(): void {
    this.#socket = close(this.#socket);
    this.#next = close(this.#next);
    this.#old = close(this.#old);
    this.#greeted = false;
    this.#attempt += 1;
    this.#pingSent = null;
    clearTimeout(this.#connectLimit);
    clearTimeout(this.#pingTimer);
    clearTimeout(this.#answerLimit);
    this.#answerLimit = undefined;
    for (const done of this.#questions.values()) done(null);
    this.#questions.clear();
  }

  #setState(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.listener.state(state);
  }

  #sendWatch(table: string): void {
    const watched = this.#watched.get(table);
    if (!watched) return;
    const seen = watched.seen();
    this.#say({
      t: 'watch',
      table,
      ...(watched.token === null ? {} : { token: watched.token }),
      ...(seen === null ? {} : { seen }),
    });
  }

  #say(message: AnyClientMessage): void {
    this.#send(JSON.stringify(message));
  }

  #send(text: string): void {
    try {
      this.#socket?.send(text);
    } catch {
      // Not open any more: its close event, or silence, is on the way and everything unanswered is sent again.
    }
  }
}
