import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from '../i18n/fixtures';
import type { CheckOrder, Order } from '../net/link';
import type { About, AnyAction, Checked, Frame, KonkenView } from '../protocol';
import { frame, legal, view } from './fixtures';
import { wantedChecks, type Situation } from '../games/floor/moves';
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
  melds: string[][] = [];

  async order(order: Order) {
    this.orders.push(order);
    await this.hold;
    return this.refuse
      ? ({ t: 'refused', id: 'x', code: this.refuse } as const)
      : ({ t: 'ack', id: 'x', table: '0abc', v: 1 } as const);
  }
  async arrange() {
    await this.hold;
    return { t: 'arranged', id: 'x', melds: this.melds } as const;
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
  store.checks.want(() => {
    const now = store.situation({ t: en, blocked: null });
    return now ? wantedChecks(now as Situation) : [];
  });
  return store;
};
/** The page is left, and loaded again. */
const reload = (store: TableStore) => {
  store.keep();
  return open();
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

  it('are told of while the one before is still what is shown, and only if they will be', () => {
    const told: unknown[] = [];
    table.foresee = (next) => told.push([next.v, table.frame?.v]);
    table.receive(frame({ v: 11 }));
    table.receive(frame({ v: 9 }));
    table.receive(frame({ v: 12 }));
    expect(told).toEqual([
      [11, 10],
      [12, 11],
    ]);
  });

  it('tell each event once, and begin a new log with a deal', () => {
    const drew = { e: 'drew', seat: 1 } as const;
    table.receive(frame({ v: 11, events: [drew] }));
    table.receive(frame({ v: 11, events: [drew] }));
    expect(table.log.entries).toHaveLength(1);
    table.receive(frame({ v: 12, events: [drew, { e: 'dealt', dealer: 0, first: 1, card: '2H' }] }));
    expect(table.log.entries.map((entry) => entry.event.e)).toEqual(['dealt']);
  });
});

describe('the arrangement', () => {
  it('survives others’ moves and a reload', () => {
    table.arrange((hand) => hands.sort(hand, 'rank'));
    choose('2S', '3S', '4S');
    table.toTray();
    choose('9D');
    table.receive(withHand(11, { discard: '2C' }));
    const reloaded = reload(table);
    reloaded.receive(withHand(12, { discard: '3C' }));
    for (const store of [table, reloaded]) {
      expect(shown(store)).toEqual(['4H', '9D', '9D', 'JK']);
      expect(store.hand.tray).toHaveLength(1);
      expect(hands.cardsOf(store.hand, store.hand.selected)).toEqual(['9D']);
    }
  });

  it('is kept a moment later, once for all that has changed, and before if the page ends', () => {
    const writes = vi.spyOn(shelf, 'setItem');
    for (const v of [11, 12, 13]) table.receive(withHand(v, {}));
    expect(writes).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(writes).toHaveBeenCalledTimes(1);
    expect(open().seen).toBe(13);
    table.receive(withHand(14, {}));
    table.close();
    expect(writes).toHaveBeenCalledTimes(2);
    expect(open().seen).toBe(14);
    table.keep();
    vi.advanceTimersByTime(1_000);
    expect(writes).toHaveBeenCalledTimes(2);
  });

  it('holds after a reload only what the server holds', () => {
    choose('2S', '3S', '4S');
    table.toTray();
    const reloaded = reload(table);
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
    expect(table.checks.of(run)).toMatchObject({ points: 9 });
    table.receive(frame({ v: 11, decision: 6 }));
    expect(table.checks.of(run)).toBeUndefined();
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

describe('the life of the table', () => {
  const phase = (v: number, more: Partial<Frame['view']>, rest: Partial<Frame> = {}) =>
    frame({ v, view: { ...frame().view, ...more }, ...rest });

  it('deals a hand of a rematch anew, though its number is an old one', () => {
    choose('2S', '3S', '4S');
    table.toTray();
    table.receive(phase(11, { phase: 'over', hand: null }));
    table.receive(phase(12, { commitment: 'cd', hand: view({ hand: ['KD', '2S', '3S'] }) }));
    expect(table.hand.tray).toEqual([]);
    expect(shown(table)).toEqual(['2S', '3S', 'KD']);
  });

  it('remembers over a reload what it has shown', () => {
    table.receive(frame({ v: 15 }));
    expect(reload(table).seen).toBe(15);
  });

  it('keeps and asks nothing any more once it has been left', async () => {
    let answer = () => {};
    line.hold = new Promise((resolve) => (answer = resolve));
    line.melds = [['2S', '3S', '4S']];
    choose('2S', '3S', '4S');
    const coming = table.arrangeForMe();
    table.close();
    const writes = vi.spyOn(shelf, 'setItem');
    answer();
    await coming;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writes).not.toHaveBeenCalled();
    expect(line.checks).toEqual([]);
  });

  it('takes an earlier version in answer to a new watch', () => {
    table.awaited = true;
    expect(table.receive(frame({ v: 4 }))).toBe(true);
    expect(table.notice).toBe('synced');
    expect(table.receive(frame({ v: 3 }))).toBe(false);
  });

  it('tells that a table came back from the archive, also to whoever comes later', () => {
    table.receive(phase(100_010, { phase: 'between', hand: null }, { events: [{ e: 'recovered' }] }));
    expect(table.notice).toBe('recovered');
    vi.advanceTimersByTime(60_000);
    expect(table.notice).toBeNull();
    table.receive(phase(100_011, { phase: 'between', hand: null }));
    expect(table.notice).toBeNull();
    shelf.kept.clear();
    const late = open();
    late.receive(phase(100_012, { phase: 'between', hand: null }));
    expect(late.notice).toBe('recovered');
    late.close();
  });

  it('knows when the host has sent this player away, and nobody else', () => {
    const kicked = { e: 'left', seat: 1, name: 'West', kind: 'kicked' } as const;
    table.receive(frame({ v: 11, events: [kicked] }));
    expect(table.sentAway).toBe(false);
    table.receive(frame({ v: 12, you: null, events: [{ ...kicked, seat: 0 }] }));
    expect(table.sentAway).toBe(true);
    expect(reload(table).sentAway).toBe(true);
  });

  it('knows of one who was put out of a private table, also after a reload', () => {
    const table = open();
    table.receive(frame());
    table.lost('private');
    expect(reload(table).sentAway).toBe(false);
    table.lost('barred');
    expect(reload(table).sentAway).toBe(true);
  });

  it('does not say that the host has sent away who may as well have left', () => {
    const fresh = new TableStore('0abc', line, new Shelf());
    fresh.lost('barred');
    expect([fresh.gone, fresh.sentAway]).toEqual(['barred', false]);
  });

  it('counts the waiting from the last change of company, in the server’s time', () => {
    const seats = frame().view.seats;
    const open1 = (v: number, now: number) => phase(v, { phase: 'open' }, { now });
    table.receive(open1(11, 5_000));
    table.receive(open1(12, 9_000));
    expect(table.company?.since).toBe(5_000);
    table.receive(phase(13, { phase: 'open', seats: seats.slice(0, 1) }, { now: 10_000 }));
    expect(table.company?.since).toBe(10_000);
    table.receive(frame({ v: 14 }));
    expect(table.company).toBeNull();
  });

  it('keeps the seats as they stood when the match ended, until the next one', () => {
    const outcome = { by: 'points', winners: [1], ranking: [1, 0, 2, 3] } as const;
    table.receive(phase(11, { phase: 'over', outcome }));
    const gone = frame().view.seats.map((one, at) => (at === 1 ? { ...one, kind: 'empty', name: '' } : one));
    table.receive(phase(12, { phase: 'over', outcome, seats: gone as Frame['view']['seats'] }));
    expect(table.final?.seats[1]?.name).toBe('West');
    table.receive(frame({ v: 13 }));
    expect(table.final).toBeNull();
  });

  it('seats bots on the free seats only, and does not mind that somebody was quicker', async () => {
    const seats = frame().view.seats.map((one, at) => (at === 2 ? { ...one, kind: 'empty' } : one));
    table.receive(phase(11, { phase: 'open', seats: seats as Frame['view']['seats'] }));
    await table.fillWithBots();
    expect(line.orders).toEqual([{ t: 'add_bot', table: '0abc', seat: 2 }]);
  });

  it('arranges the hand, and explains where that is not allowed', async () => {
    line.melds = [['9D', '9D', 'JK']];
    await table.arrangeForMe();
    expect(shown(table).slice(0, 3)).toEqual(['9D', '9D', 'JK']);
    expect(hands.meldsInPlace(table.hand)).toEqual([[0, 3]]);
  });

  describe('a proposal that comes late', () => {
    const late = async (meanwhile: () => void) => {
      let release = () => {};
      line.hold = new Promise((done) => (release = done));
      line.melds = [['9D', '9D', 'JK']];
      const proposal = table.arrangeForMe();
      meanwhile();
      const before = shown(table);
      release();
      await proposal;
      return [before, shown(table)];
    };

    it('is dropped when the question has passed, even if the cards are the same', async () => {
      const [before, after] = await late(() => table.receive(withHand(11, {}, { decision: 6 })));
      expect(after).toEqual(before);
    });

    it('is dropped when the hand is another', async () => {
      const cards = ['2S', '3S', '9D', '9D', 'JK'];
      const [before, after] = await late(() => table.receive(withHand(11, { hand: cards })));
      expect(after).toEqual(before);
    });

    it('is dropped when the player has moved cards meanwhile', async () => {
      const [before, after] = await late(() => {
        choose('2S', '3S', '4S');
        table.toTray();
      });
      expect(after).toEqual(before);
    });

    it('is not dropped for what others do, or what is only chosen', async () => {
      const [, after] = await late(() => {
        table.receive(withHand(11, { discard: '2C', stock: 40 }));
        choose('2S');
      });
      expect(after?.slice(0, 3)).toEqual(['9D', '9D', 'JK']);
      expect(hands.cardsOf(table.hand, table.hand.selected)).toEqual(['2S']);
    });

    it('complains of nothing that has passed', async () => {
      line.arrange = async () => {
        table.receive(withHand(11, {}, { decision: 6 }));
        return { t: 'refused', id: 'x', code: 'wrong_phase' } as never;
      };
      await table.arrangeForMe();
      expect(table.refused).toBeNull();
    });
  });
});
