import { describe, expect, it } from 'vitest';
import { en } from '../../i18n/fixtures';
import type { AnyAction, Checked } from '../../protocol';
import { legal, view } from '../../state/fixtures';
import {
  emptyArrangement,
  PENDING,
  PENDING_KEY,
  reconcile,
  toggle,
  toTray,
  type Arrangement,
} from '../../state/hand';
import { mayChooseEnd } from './ends';
import { addTo, mainMove, moves, swapIn, wantedChecks, type Situation } from './moves';

const HELD = view().hand ?? [];
const choose = (hand: Arrangement, ...cards: string[]) =>
  cards.reduce((at, card) => {
    const slot = at.slots.find((one) => one.card === card && !at.selected.includes(one.key));
    return toggle(at, slot?.key as number);
  }, hand);
const held = () => reconcile(emptyArrangement(), '4', HELD);

function situation(more: Partial<Situation> & { answers?: [AnyAction, Partial<Checked>][] } = {}): Situation {
  const answers = new Map((more.answers ?? []).map(([action, answer]) => [JSON.stringify(action), answer]));
  return {
    view: view(),
    you: 0,
    legal: legal(),
    hand: held(),
    checked: (action) => {
      const answer = answers.get(JSON.stringify(action));
      return answer && { t: 'checked', id: 'x', ...answer };
    },
    blocked: null,
    about: null,
    names: [],
    armed: null,
    t: en,
    ...more,
  };
}

describe('the buttons', () => {
  it('say what to do before anything is chosen', () => {
    const all = moves(situation());
    expect(all.draw).toMatchObject({ enabled: false, label: 'Draw', detail: 'already drawn' });
    expect(all.lay).toMatchObject({ enabled: false, label: 'Lay', detail: 'choose cards' });
    expect(all.add).toMatchObject({ enabled: false, detail: 'choose a card' });
    expect(all.discard).toMatchObject({ enabled: false, detail: 'choose a card' });
    expect(mainMove(Object.values(all))).toBeNull();
  });

  it('name the card and the meld', () => {
    const all = moves(situation({ hand: choose(held(), '4H') }));
    expect(all.add).toMatchObject({ enabled: true, label: 'Add 4♥', detail: 'to meld 1' });
    expect(all.add.action).toEqual({ a: 'add', meld: 1, cards: ['4H'] });
    expect(all.discard).toMatchObject({ enabled: true, label: 'Discard 4♥', detail: 'ends your turn' });
    expect(all.swap).toMatchObject({ enabled: false, label: 'Swap', detail: 'not for 4♥' });
  });

  it('are all closed while it is not one’s turn, offline or sending', () => {
    const none = moves(situation({ legal: null, view: view({ turn: 1 }), hand: choose(held(), '4H') }));
    expect(Object.values(none).map((move) => [move.enabled, move.detail])).toEqual(
      Array(6).fill([false, 'not your turn']),
    );
    for (const blocked of ['sending', 'offline'] as const) {
      const all = moves(situation({ blocked, hand: choose(held(), '4H') }));
      expect(Object.values(all).some((move) => move.enabled)).toBe(false);
    }
  });

  it('open the piles in the drawing phase', () => {
    const drawFirst = { code: 'wrong_phase', detail: {} } as const;
    const verbs = {
      draw: null,
      take: null,
      lay: drawFirst,
      add: drawFirst,
      swap: drawFirst,
      discard: drawFirst,
    };
    const all = moves(situation({ view: view({ phase: 'draw' }), legal: legal({ verbs, discard: [] }) }));
    expect(all.take).toMatchObject({ enabled: true, label: 'Take K♦' });
    expect(all.lay.detail).toBe('draw first');
    expect(mainMove(Object.values(all))).toBe('draw');
  });
});

describe('laying', () => {
  const run: AnyAction = { a: 'lay', melds: [['2S', '3S', '4S']] };
  const chosen = () => choose(held(), '2S', '3S', '4S');

  it('asks the server what the cards are worth and says so', () => {
    const open = situation({ hand: chosen() });
    expect(wantedChecks(open)).toEqual([run]);
    expect(moves(open).lay).toMatchObject({ enabled: true, label: 'Lay 3 cards', detail: '' });
    const known = situation({ hand: chosen(), answers: [[run, { points: 9 }]] });
    expect(moves(known).lay).toMatchObject({ enabled: true, detail: '9 points' });
    expect(mainMove(Object.values(moves(known)))).toBe('lay');
  });

  it('gives the reason of the server', () => {
    const answers: [AnyAction, Partial<Checked>][] = [
      [run, { code: 'opening_too_low', detail: { points: 9, needed: 51 } }],
    ];
    expect(moves(situation({ hand: chosen(), answers })).lay).toMatchObject({
      enabled: false,
      detail: 'needs 51, has 9',
    });
  });

  it('does not take haste for a refusal', () => {
    const answers: [AnyAction, Partial<Checked>][] = [[run, { code: 'rate_limited' }]];
    expect(moves(situation({ hand: chosen(), answers })).lay.enabled).toBe(true);
  });

  it('lays the tray, and a whole meld chosen beside it, but not a lone card', () => {
    const tray = toTray(chosen());
    expect(moves(situation({ hand: choose(tray, '4H') })).lay.action).toEqual(run);
    expect(moves(situation({ hand: choose(tray, '9D', '9D', 'JK') })).lay).toMatchObject({
      label: 'Lay 6 cards',
      action: { a: 'lay', melds: [...run.melds, ['9D', '9D', 'JK']] },
    });
  });
});

describe('adding and swapping', () => {
  it('leaves the choice where a card fits several melds', () => {
    const s = situation({ hand: choose(held(), 'JK') });
    expect(moves(s).add).toMatchObject({
      enabled: true,
      action: null,
      targets: [1, 2, 3],
      detail: 'choose a meld',
    });
    expect(addTo(s, 3, 'low')).toEqual({ a: 'add', meld: 3, cards: ['JK'], end: 'low' });
    expect(mayChooseEnd(addTo(s, 3), s.view)).toBe(true);
    expect(mayChooseEnd(addTo(s, 2), s.view)).toBe(false);
  });

  it('adds several cards where one of them fits, and has the server look at it', () => {
    const s = situation({ hand: choose(held(), '4H', '4S') });
    expect(moves(s).add).toMatchObject({ label: 'Add 2 cards', action: { meld: 1, cards: ['4H', '4S'] } });
    expect(wantedChecks(s)).toContainEqual({ a: 'add', meld: 1, cards: ['4H', '4S'] });
  });

  it('swaps with the card that may, whatever was chosen first; the others lengthen the run', () => {
    const s = situation({ hand: choose(held(), '4H', '4S'), legal: legal({ swap: { '4S': [3] } }) });
    expect(moves(s).swap).toMatchObject({ enabled: true, label: 'Swap 4♠', detail: 'for the Joker in 3' });
    expect(swapIn(s, 3)).toEqual({ a: 'swap', meld: 3, card: '4S', extend: ['4H'] });
  });
});

describe('a Joker that must be used', () => {
  const pending = (hand: Arrangement) =>
    situation({
      hand: { ...hand, extra: [PENDING] },
      view: view({ pending: 3 }),
      legal: legal({
        add: { JK: [1] },
        verbs: { ...legal().verbs, discard: { code: 'joker_pending', detail: {} } },
      }),
    });

  it('is laid with what is chosen', () => {
    expect(moves(pending(choose(held(), '9D', '9D'))).lay.action).toEqual({
      a: 'lay',
      melds: [['9D', '9D', 'JK']],
    });
    expect(moves(pending(held())).lay).toMatchObject({ enabled: false, detail: 'choose cards' });
  });

  it('is added without being chosen', () => {
    const all = moves(pending(held()));
    expect(all.add).toMatchObject({
      enabled: true,
      label: 'Add Joker',
      action: { a: 'add', meld: 1, cards: ['JK'] },
    });
    expect(all.discard.detail).toBe('use the Joker first');
    expect(mainMove(Object.values(all))).toBe('add');
  });

  it('is counted once when it lies in the tray', () => {
    const hand = toTray(choose(held(), '9D', '9D'), [PENDING_KEY]);
    expect(moves(pending(hand)).lay.action).toEqual({ a: 'lay', melds: [['9D', '9D', 'JK']] });
  });
});
