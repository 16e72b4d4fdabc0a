import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from '../i18n/en';
import type { CheckOrder, Order } from '../net/link';
import type { About, AnyAction, Checked, Frame, KonkenView } from '../protocol';
import { frame, legal, view } from './fixtures';
import * as hands from './hand';
import { TableStore } from './table.svelte';

class Shelf {
  kept = new Map<string, string>();
  getItem(key: string) {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.kept.set(key, value);
  }
}

class FakeLine {
  orders: Order[] = [];
  checks: AnyAction[] = [];
  answers = new Map<string, Partial<Checked>>();
  refuse: 'not_a_meld' | null = null;
  hold: Promise<void> | null = null;

  async order(order: Order) {
    this.orders.push(order);
    await this.hold;
    return this.refuse
      ? ({ t: 'refused', id: 'x', code: this.refuse } as const)
      : ({ t: 'ack', id: 'x', table: '0abc', v: 1 } as const);
  }
  async check({ action }: CheckOrder) {
    this.checks.push(action);
    return { t: 'checked', id: 'x', ...this.answers.get(JSON.stringify(action)) } as Checked;
  }
}

let shelf: Shelf;
let line: FakeLine;
let table: TableStore;
const open = () => {
  const store = new TableStore('0abc', line, shelf);
  store.wants(() => store.situation({ t: en, blocked: null }));
  return store;
};
const shown = (store: TableStore) => hands.inHand(store.hand).map((slot) => slot.card);
const withHand = (v: number, more: Partial<KonkenView>, rest: Partial<Frame> = {}) =>
  frame({ v, view: { ...frame().view, hand: view(more) }, ...rest });
const choose = (...cards: string[]) => {
  for (const card of cards) {
    const free = hands
      .inHand(table.hand)
      .find((one) => one.card === card && !table.hand.selected.includes(one.key));
    table.arrange((hand) => hands.toggle(hand, free?.key as number));
  }
};

beforeEach(() => {
  vi.useFakeTimers();
  shelf = new Shelf();
  line = new FakeLine();
  table = open();
  table.receive(frame());
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
});

describe('frames', () => {
  it('replace the view; an older one is dropped', () => {
    expect(table.receive(withHand(9, { stock: 50 }))).toBe(false);
    expect(table.receive(withHand(12, { stock: 40 }))).toBe(true);
    expect(table.frame?.view.hand?.stock).toBe(40);
  });

  it('may step back when the store has lost its last second', () => {
    expect(table.receive(withHand(9, { stock: 50 }, { sync: true }))).toBe(true);
    expect(table.frame?.v).toBe(9);
  });

  it('leave out what the table is about when it has not changed', () => {
    const about = { game: 'konken', private: false, sheet: [] as const } as unknown as About;
    table.receive(frame({ v: 11, about }));
    table.receive(frame({ v: 12 }));
    expect(table.about).toBe(about);
  });

  it('tell each event once, and begin a new log with a deal', () => {
    const drew = { e: 'drew', seat: 1 } as const;
    table.receive(frame({ v: 11, events: [drew] }));
    table.receive(frame({ v: 11, events: [drew] }));
    expect(table.log).toHaveLength(1);
    table.receive(frame({ v: 12, events: [drew, { e: 'dealt', dealer: 0, first: 1, card: '2H' }] }));
    expect(table.log.map((entry) => entry.event.e)).toEqual(['dealt']);
  });
});

describe('the arrangement', () => {
  it('survives others’ moves and a reload', () => {
    table.arrange((hand) => hands.sort(hand, 'rank'));
    choose('2S', '3S', '4S');
    table.toTray();
    choose('9D');
    table.receive(withHand(11, { discard: '2C' }));
    const reloaded = open();
    reloaded.receive(withHand(12, { discard: '3C' }));
    for (const store of [table, reloaded]) {
      expect(shown(store)).toEqual(['4H', '9D', '9D', 'JK']);
      expect(store.hand.tray).toHaveLength(1);
      expect(hands.cardsOf(store.hand, store.hand.selected)).toEqual(['9D']);
    }
  });

  it('holds after a reload only what the server holds', () => {
    choose('2S', '3S', '4S');
    table.toTray();
    const reloaded = open();
    reloaded.receive(withHand(12, { hand: ['4S', '9D'] }));
    expect(hands.cardsOf(reloaded.hand, reloaded.hand.tray.flat())).toEqual(['4S']);
  });

  it('marks the card that came, until the turn is over', () => {
    const cards = [...(view().hand ?? []), 'QC'];
    table.receive(withHand(11, { hand: cards, drawn: 'QC' }));
    expect(hands.cardsOf(table.hand, [table.hand.marked as number])).toEqual(['QC']);
    shelf.kept.clear();
    const elsewhere = open();
    elsewhere.receive(withHand(11, { hand: cards, drawn: 'QC' }));
    expect(elsewhere.hand.marked).not.toBeNull();
    table.receive(withHand(12, { hand: cards, turn: 1 }));
    expect(table.hand.marked).toBeNull();
  });
});

describe('playing', () => {
  it('answers the question of the last frame, once however often it is pressed', async () => {
    let release = () => {};
    line.hold = new Promise((done) => (release = done));
    const first = table.play({ a: 'draw' });
    void table.play({ a: 'draw' });
    expect(table.sending).toBe(true);
    release();
    await first;
    expect(line.orders).toEqual([{ t: 'play', table: '0abc', decision: 5, action: { a: 'draw' } }]);
    expect(table.sending).toBe(false);
  });

  it('lets the chosen one of two copies go', async () => {
    const [, second] = table.hand.slots.filter((slot) => slot.card === '9D');
    const pressed = table.play({ a: 'discard', card: '9D' }, [second?.key as number]);
    table.receive(withHand(11, { hand: ['2S', '3S', '4S', '4H', '9D', 'JK'], turn: 1 }, { decision: 6 }));
    await pressed;
    expect(table.hand.slots.some((slot) => slot.key === second?.key)).toBe(false);
  });

  it('keeps everything and gives the reason when it is refused', async () => {
    line.refuse = 'not_a_meld';
    choose('2S', '9D');
    await table.play({ a: 'lay', melds: [['2S', '9D']] }, table.hand.selected);
    expect(table.refused?.code).toBe('not_a_meld');
    expect(table.hand.selected).toHaveLength(2);
    vi.advanceTimersByTime(10_000);
    expect(table.refused).toBeNull();
  });
});

describe('dry runs', () => {
  it('are asked once for several quick choices, and forgotten with the question', async () => {
    const run: AnyAction = { a: 'lay', melds: [['2S', '3S', '4S']] };
    line.answers.set(JSON.stringify(run), { points: 9 });
    choose('2S', '3S', '4S');
    await vi.advanceTimersByTimeAsync(200);
    expect(line.checks).toEqual([run]);
    expect(table.checked(run)).toMatchObject({ points: 9 });
    table.receive(frame({ v: 11, decision: 6 }));
    expect(table.checked(run)).toBeUndefined();
  });

  it('find out whether a Joker has a choice of ends', async () => {
    const joker = { a: 'add', meld: 1, cards: ['JK'] } as const;
    choose('JK');
    await table.add(joker, table.hand.selected);
    expect(table.endChoice).toEqual(joker);
    expect(line.orders).toEqual([]);

    line.answers.set(JSON.stringify({ ...joker, end: 'low' }), { code: 'does_not_fit' });
    await table.add(joker, table.hand.selected);
    expect(line.orders).toMatchObject([{ action: { ...joker, end: 'high' } }]);
  });

  it('are not asked while others play', async () => {
    table.receive(withHand(11, { turn: 1 }, { legal: null, decision: 6 }));
    choose('2S', '3S', '4S');
    await vi.advanceTimersByTimeAsync(200);
    expect(line.checks).toEqual([]);
    expect(legal().verbs.lay).toBeNull();
  });
});
