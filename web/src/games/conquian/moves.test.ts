import { describe, expect, it } from 'vitest';
import { en } from '../../i18n/fixtures';
import type { AnyAction, Checked, ConquianView, Legal } from '../../protocol';
import {
  backToHand,
  cardsOf,
  emptyArrangement,
  proposeTray,
  reconcile,
  regroup,
  resetTray,
  toggle,
  type Arrangement,
} from '../../state/hand';
import { heldInConquian, tableKey } from './held';
import { bar, choose, main, targets, wantedChecks, type Situation } from './moves';

const HAND = ['7S', '7H', '3H', 'AC'];
const OWN = [
  ['4S', '5S', '6S'],
  ['QH', 'QC', 'QD'],
];

function view(more: Partial<ConquianView> = {}): ConquianView {
  return {
    game: 'conquian',
    phase: 'offered',
    turn: 0,
    dealer: 0,
    hand: HAND,
    counts: [4, 4],
    table: [OWN, [['4D', '5D', '6D']]],
    centre: { card: '7D', by: 1, how: 'turned' },
    fits: [false, true],
    forceable: [],
    forced: null,
    stock: 9,
    dead: 5,
    dead_cards: null,
    exchange: null,
    stake: 1,
    multiplier: 2,
    result: null,
    ...more,
  };
}

const wrong = { code: 'wrong_phase', detail: {} } as const;
const legal = (verbs: Legal['verbs'] = {}): Legal => ({
  verbs: { meld: null, pass: null, force: null, waive: wrong, discard: wrong, exchange: wrong, ...verbs },
  discard: [],
  add: {},
  swap: {},
});
const held = (at: ConquianView, before: Arrangement = emptyArrangement()) =>
  reconcile(before, 'deal', at.hand ?? [], heldInConquian(at, 0));
const pick = (hand: Arrangement, ...cards: string[]) =>
  cards.reduce((at, card) => {
    const slot = [...at.slots, ...at.extra].find((one) => one.card === card);
    return toggle(at, slot?.key ?? 0);
  }, hand);

function situation(
  hand: Arrangement,
  at = view(),
  { answers = [], law = legal() }: { answers?: [AnyAction, Partial<Checked>][]; law?: Legal } = {},
): Situation {
  const known = new Map(answers.map(([action, answer]) => [JSON.stringify(action), answer]));
  return {
    view: at,
    you: 0,
    legal: law,
    hand,
    about: null,
    names: ['Yusuf', 'East'],
    armed: null,
    checked: (action) => {
      const answer = known.get(JSON.stringify(action));
      return answer && { t: 'checked', id: 'x', ...answer };
    },
    blocked: null,
    t: en,
  };
}
const labels = (s: Situation) => bar(s).map((move) => [move.verb, move.enabled]);
const tray = (hand: Arrangement) => hand.tray.map((keys) => cardsOf(hand, keys));

describe('one’s own table', () => {
  it('lies in the tray, and follows the server when it changes', () => {
    const hand = held(view());
    expect(tray(hand)).toEqual(OWN);
    const more = [...OWN, ['7S', '7D', '7H']];
    const after = held(view({ table: [more, []], hand: ['3H', 'AC'], centre: null, phase: 'discard' }), hand);
    expect(tray(after)).toEqual(more);
  });

  it('can be taken apart and put back', () => {
    const moved = regroup(pick(held(view()), '6S', '7D'), null);
    expect(tray(moved)).toEqual([['4S', '5S'], OWN[1], ['6S', '7D']]);
    expect(tray(resetTray(moved))).toEqual(OWN);
    expect(tray(backToHand(pick(moved, '6S', '7D')))).toEqual([['4S', '5S'], OWN[1], ['6S']]);
  });

  it('stays as it lies where nothing can be proposed', () => {
    const moved = regroup(pick(held(view()), '6S', '7D'), null);
    expect(tray(proposeTray(moved, []))).toEqual(OWN);
  });

  it('keeps what is prepared while others act, but not a card that is dead', () => {
    const prepared = regroup(pick(held(view()), '7S', '7D', '7H'), null);
    const later = held(view({ turn: 1, centre: { card: '2C', by: 1, how: 'turned' } }), prepared);
    expect(tray(later)).toEqual([...OWN, ['7S', '7H']]);
  });
});

describe('melding', () => {
  const sevens: AnyAction = { a: 'meld', melds: [...OWN, ['7S', '7H', '7D']] };

  it('asks about every place where centre and selection could go, and takes the only one', () => {
    const hand = pick(held(view()), '7S', '7H');
    const wanted = wantedChecks(situation(hand));
    expect(wanted).toHaveLength(3);
    expect(wanted).toContainEqual(sevens);
    const s = situation(hand, view(), { answers: [[sevens, { points: 0 }]] });
    expect(bar(s)[3]).toMatchObject({ verb: 'meld', enabled: true, action: sevens });
    expect(main(s, bar(s))).toBe('meld');
    expect(targets(s)).toEqual([1, 2, 3]);
  });

  it('moves the selection to the meld that is tapped', () => {
    const chosen = choose(situation(pick(held(view()), '7S')), 1);
    expect(chosen && 'hand' in chosen && tray(chosen.hand)[0]).toEqual(['4S', '5S', '6S', '7S']);
  });

  it('gives the reason of the server', () => {
    const hand = regroup(pick(held(view()), '7S', '7D'), null);
    const action: AnyAction = { a: 'meld', melds: [...OWN, ['7S', '7D']] };
    const s = situation(hand, view(), { answers: [[action, { code: 'meld_size' }]] });
    expect(bar(s)[3]).toMatchObject({ enabled: false, detail: 'needs 3 cards' });
  });

  it('takes a proposal for the whole table', () => {
    const hand = proposeTray(held(view()), sevens.a === 'meld' ? sevens.melds : []);
    expect(tray(hand)).toEqual(sevens.a === 'meld' ? sevens.melds : []);
    expect(hand.tray[2]).toContain(tableKey('7D'));
  });
});

describe('the four places', () => {
  it('are pass, force, discard and meld', () => {
    expect(labels(situation(held(view()))).map(([verb]) => verb)).toEqual([
      'pass',
      'force',
      'discard',
      'meld',
    ]);
  });

  it('offer forcing with a discard only where the card fits', () => {
    const at = view({ phase: 'discard', centre: null, forceable: ['3H'] });
    const law = legal({
      meld: wrong,
      pass: { code: 'must_discard', detail: {} },
      force: wrong,
      discard: null,
    });
    const forced = situation(pick(held(at), '3H'), at, { law });
    expect(bar(forced)[1]).toMatchObject({
      enabled: true,
      action: { a: 'discard', card: '3H', force: true },
    });
    expect(bar(forced)[2]).toMatchObject({ enabled: true, action: { a: 'discard', card: '3H' } });
    const other = situation(pick(held(at), 'AC'), at, { law });
    expect(bar(other)[1]).toMatchObject({ enabled: false, detail: 'does not fit there' });
    expect(main(other, bar(other))).toBe('discard');
  });

  it('let a card go in the window, and give one away in the exchange', () => {
    const window = view({ phase: 'window' });
    const law = legal({ meld: wrong, pass: wrong, waive: null });
    expect(labels(situation(held(window), window, { law })).slice(0, 2)).toEqual([
      ['waive', true],
      ['force', true],
    ]);
    const exchange = view({
      phase: 'exchange',
      centre: null,
      table: [[], []],
      exchange: { chosen: [false, true], own: null },
    });
    const none = legal({ meld: wrong, pass: wrong, force: wrong, exchange: null });
    const s = situation(pick(held(exchange), 'AC'), exchange, { law: none });
    expect(bar(s)[2]).toMatchObject({
      verb: 'exchange',
      enabled: true,
      action: { a: 'exchange', card: 'AC' },
    });
  });
});
