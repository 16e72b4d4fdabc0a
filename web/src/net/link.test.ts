import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PROTOCOL, type AnyServerMessage } from '../protocol';
import { frame } from '../state/fixtures';
import { ANSWER_WITHIN, CONNECT_WITHIN, Link, PING_EVERY, type LinkState, type SocketLike } from './link';

class FakeSocket implements SocketLike {
  sent: { t: string; id?: string; [key: string]: unknown }[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  says(message: AnyServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcome(): void {
    this.onopen?.();
    this.says({ t: 'welcome', name: 'Ada', build: 'b', now: 1_000_000, tables: [] });
  }
  of(tag: string) {
    return this.sent.filter((message) => message.t === tag);
  }
}

describe('Link', () => {
  let sockets: FakeSocket[];
  let sessions: boolean[];
  let messages: AnyServerMessage[];
  let states: LinkState[];
  let link: Link;
  const last = () => sockets.at(-1) as FakeSocket;
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(async () => {
    vi.useFakeTimers();
    sockets = [];
    sessions = [];
    messages = [];
    states = [];
    link = new Link(
      {
        open: () => {
          sockets.push(new FakeSocket());
          return last();
        },
        session: async (fresh) => void sessions.push(fresh),
        lang: () => 'en',
        random: () => 1,
      },
      { message: (message) => messages.push(message), state: (state) => states.push(state) },
    );
    link.start();
    await settle();
  });
  afterEach(() => {
    link.stop();
    vi.useRealTimers();
  });

  it('makes sure of a session, then says hello', () => {
    expect(sessions).toEqual([false]);
    last().onopen?.();
    expect(last().sent).toEqual([{ t: 'hello', protocol: PROTOCOL, lang: 'en' }]);
    expect(link.state).toBe('connecting');
    last().welcome();
    expect(link.state).toBe('open');
  });

  it('sends unanswered orders again under the same id, and answered ones never again', async () => {
    last().welcome();
    const first = link.order({ t: 'stand', table: 'a' });
    const second = link.order({ t: 'stand', table: 'b' });
    const [one, two] = last().of('stand');
    last().says({ t: 'ack', id: one?.id as string, table: 'a', v: 2 });
    expect(await first).toMatchObject({ t: 'ack', v: 2 });

    last().onclose?.({ code: 1006 });
    expect(link.state).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    last().welcome();
    expect(last().of('stand')).toEqual([two]);
    last().says({ t: 'refused', id: two?.id as string, code: 'not_seated' });
    expect(await second).toMatchObject({ code: 'not_seated' });
  });

  it('hands on whole frames, and begins anew on every socket', async () => {
    last().welcome();
    link.watch('0abc', null);
    last().says(frame({ v: 1, decision: 7 }));
    last().says({ t: 'frame', table: '0abc', v: 2, now: 1 } as AnyServerMessage);
    expect(messages.at(-1)).toMatchObject({ v: 2, decision: 7, view: frame().view });
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1_000);
    last().welcome();
    last().says({ t: 'frame', table: '0abc', v: 3, now: 1 } as AnyServerMessage);
    expect(messages.at(-1)).not.toHaveProperty('view');
  });

  it('watches its table and the lobby again after a reconnect, and binds nothing twice', async () => {
    last().welcome();
    link.watch('abc', 'secret');
    link.followLobby(true);
    for (let i = 0; i < 5; i++) {
      const old = last();
      old.onclose?.({ code: 1006 });
      await vi.advanceTimersByTimeAsync(1_000);
      old.onmessage?.({ data: '{"t":"pong","now":1}' });
      last().welcome();
    }
    expect(sockets).toHaveLength(6);
    expect(last().of('watch')).toEqual([{ t: 'watch', table: 'abc', token: 'secret' }]);
    expect(last().of('lobby')).toEqual([{ t: 'lobby', on: true }]);
    messages.length = 0;
    last().says({ t: 'pong', now: 5 });
    expect(messages).toHaveLength(1);
    void link.order({ t: 'stand', table: 'a' });
    expect(last().of('stand')).toHaveLength(1);
  });

  it('goes over to another socket without being lost for a moment, and with all that is unanswered', async () => {
    last().welcome();
    link.watch('abc', null);
    const answer = link.order({ t: 'stand', table: 'abc' });
    const old = last();
    link.move();
    last().onopen?.();
    old.says({ t: 'said', table: 'abc', seat: 0, phrase: 1 });
    expect([sockets.length, old.closed, messages.at(-1)?.t]).toEqual([2, false, 'said']);
    last().welcome();
    expect(last().of('watch')).toEqual([{ t: 'watch', table: 'abc' }]);
    const [order] = last().of('stand');
    expect(order).toEqual(old.of('stand')[0]);
    last().says({ t: 'ack', id: order?.id as string, table: 'abc', v: 2 });
    expect(await answer).toMatchObject({ v: 2 });
    old.says({ t: 'said', table: 'abc', seat: 0, phrase: 2 });
    expect([old.closed, messages.at(-1)?.t]).toEqual([false, 'ack']);
    last().says(frame({ table: 'abc' }));
    expect([old.closed, messages.at(-1)?.t, states]).toEqual([true, 'frame', ['open']]);
  });

  it('stays where it is while the other socket is not welcome', async () => {
    last().welcome();
    const old = last();
    link.move();
    last().onopen?.();
    last().says({ t: 'bye', reason: 'full' });
    last().onclose?.({ code: 1013 });
    expect([old.closed, link.state, messages.at(-1)?.t]).toEqual([false, 'open', 'welcome']);
    link.move();
    const late = last();
    old.onclose?.({ code: 1006 });
    expect([late.closed, link.state]).toEqual([true, 'lost']);
    link.move();
    expect(sockets).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1_000);
    last().welcome();
    expect([sockets.length, link.state]).toEqual([4, 'open']);
  });

  it('takes silence for a broken line', async () => {
    last().welcome();
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN - 1);
    expect(link.state).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(link.state).toBe('lost');
    expect(sockets[0]?.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(2);
  });

  it('keeps a line that answers', async () => {
    last().welcome();
    for (let i = 0; i < 10; i++) {
      last().says({ t: 'pong', now: 1 });
      await vi.advanceTimersByTimeAsync(PING_EVERY);
    }
    expect(sockets).toHaveLength(1);
    expect(last().of('ping')).toHaveLength(11);
  });

  it('gives up a connection attempt that hangs, but never gives up', async () => {
    await vi.advanceTimersByTimeAsync(CONNECT_WITHIN);
    expect(link.state).toBe('lost');
    for (let i = 0; i < 20; i++) {
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(sockets.length).toBeGreaterThan(15);
    last().welcome();
    expect(link.state).toBe('open');
  });

  it('waits longer from try to try, up to five seconds, and not at all when the page wakes', async () => {
    for (let i = 0; i < 8; i++) {
      last().onclose?.({ code: 1006 });
      await vi.advanceTimersByTimeAsync(5_000);
    }
    const before = sockets.length;
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sockets).toHaveLength(before);
    link.wake();
    await settle();
    expect(sockets).toHaveLength(before + 1);
  });

  it('probes an open line when the page wakes', () => {
    last().welcome();
    last().says({ t: 'pong', now: 1 });
    link.wake();
    expect(last().of('ping')).toHaveLength(2);
  });

  it('asks for a new session when the server does not know the old one', async () => {
    last().onclose?.({ code: 4401 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sessions).toEqual([false, true]);
  });

  it('forgets dry runs when the line breaks', async () => {
    last().welcome();
    const check = link.check({ table: 'a', decision: 1, action: { a: 'draw' } });
    last().onclose?.({ code: 1006 });
    expect(await check).toBeNull();
    await vi.advanceTimersByTimeAsync(1_000);
    last().welcome();
    expect(last().of('check')).toHaveLength(0);
  });

  it('answers a dry run that was refused at the door', async () => {
    last().welcome();
    const check = link.check({ table: 'a', decision: 1, action: { a: 'draw' } });
    last().says({ t: 'refused', id: last().of('check')[0]?.id as string, code: 'rate_limited' });
    expect(await check).toMatchObject({ code: 'rate_limited' });
  });

  it('tells with a watch what was shown last', async () => {
    let seen: number | null = null;
    link.watch('abc', null, () => seen);
    last().welcome();
    expect(last().of('watch')).toEqual([{ t: 'watch', table: 'abc' }]);
    seen = 12;
    last().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1_000);
    last().welcome();
    expect(last().of('watch')).toEqual([{ t: 'watch', table: 'abc', seen: 12 }]);
  });

  it('asks for the best melds', async () => {
    last().welcome();
    const melds = link.arrange('abc');
    const [question] = last().of('arrange');
    last().says({ t: 'arranged', id: question?.id as string, melds: [['2S', '3S', '4S']] });
    expect(await melds).toMatchObject({ melds: [['2S', '3S', '4S']] });
  });
});
