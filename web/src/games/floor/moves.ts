import { faceOf, isJoker, signOf } from '../../lib/cards';
import type { TableTexts } from '../../i18n';
import type { Add, AnyAction, Card, Checked, ConkerView, KonkenView, Lay, Swap } from '../../protocol';
import { cardsOf, PENDING_KEY } from '../../state/hand';
import { denied, move, whyClosed } from '../buttons';
import type { Choice, Move, Situation as AnySituation } from '../game';

// Konken and Conker: draw or take, lay, add and swap on a table that is everybody's, discard.

export type FloorView = KonkenView | ConkerView;
export type Situation = AnySituation<FloorView>;

export const VERBS = ['draw', 'take', 'swap', 'lay', 'add', 'discard'] as const;
export type Verb = (typeof VERBS)[number];

/** The Joker that waits for its use, as a key; none unless it is this player's. */
export function pendingKeys({ hand }: Pick<Situation, 'hand'>): number[] {
  return hand.extra.map((slot) => slot.key).filter((key) => key === PENDING_KEY);
}

/** What `Lay` would lay: the tray, and the selection as one more meld. */
export function layKeys(s: Pick<Situation, 'hand'>): readonly (readonly number[])[] {
  const inTray = s.hand.tray.flat();
  const joker = pendingKeys(s).filter((key) => !inTray.includes(key));
  const meld = [...s.hand.selected, ...joker];
  if (s.hand.tray.length === 0) return s.hand.selected.length > 0 ? [meld] : [];
  // Beside a tray, one or two chosen cards are more likely on their way to a meld or the pile.
  return meld.length > 2 ? [...s.hand.tray, meld] : s.hand.tray;
}

export function layAction(s: Pick<Situation, 'hand'>): Lay | null {
  const melds = layKeys(s).map((keys) => cardsOf(s.hand, keys));
  return melds.length > 0 ? { a: 'lay', melds } : null;
}

/** Every move with what it would do, or why it cannot be made. */
export function moves(s: Situation): Record<Verb, Move> {
  return { draw: draw(s), take: take(s), swap: swap(s), lay: lay(s), add: add(s), discard: discard(s) };
}

/** The one filled button: what most players want to do now. */
export function mainMove(bar: readonly Move[]): Verb | null {
  const order: Verb[] = ['draw', 'lay', 'add', 'swap', 'discard'];
  return order.find((verb) => bar.some((move) => move.verb === verb && move.enabled)) ?? null;
}

/** The melds that may be chosen now. */
export function targets(s: Situation): readonly number[] {
  if (s.armed === 'add') return add(s).targets;
  if (s.armed === 'swap') return swap(s).targets;
  return [add(s), swap(s)].flatMap((move) => (move.enabled ? move.targets : []));
}

/** What a target says about itself. */
export function targetHint(s: Situation, meld: number): string {
  if (!targets(s).includes(meld)) return '';
  const { targets: fitting, keys } = add(s);
  if (s.armed === 'swap' || !fitting.includes(meld)) return s.t.table.takesJoker;
  return s.t.table.fits(cardsOf(s.hand, keys).map(signOf).join(' '));
}

/** A tap on a meld adds what is chosen, or swaps where it can only be that. */
export function choose(s: Situation, meld: number): Choice | null {
  const swaps = s.armed === 'swap' || !add(s).targets.includes(meld);
  const action = swaps ? swapIn(s, meld) : addTo(s, meld);
  return action && { action, keys: (swaps ? swap(s) : add(s)).keys };
}

/** The dry runs whose answers the buttons would like to have. */
export function wantedChecks(s: Situation): AnyAction[] {
  if (s.legal === null || s.view.turn !== s.you) return [];
  const all = moves(s);
  const discardDenied = all.discard.action !== null && !all.discard.enabled;
  const mayLay = s.legal.verbs.lay === null || s.legal.verbs.lay?.code === 'opening_too_low';
  return [
    ...(mayLay && all.lay.action ? [all.lay.action] : []),
    ...(all.add.action && all.add.keys.length > 1 ? [all.add.action] : []),
    ...(all.swap.action ? [all.swap.action] : []),
    ...(discardDenied && s.legal.verbs.discard === null && all.discard.action ? [all.discard.action] : []),
  ];
}

export function addTo(s: Situation, meld: number, end: Add['end'] = null): Add {
  const action: Add = { a: 'add', meld, cards: cardsOf(s.hand, addKeys(s)) };
  return end ? { ...action, end } : action;
}

export function swapIn(s: Situation, meld: number): Swap | null {
  const [key, ...rest] = swapKeys(s, meld);
  if (key === undefined) return null;
  const card = cardsOf(s.hand, [key])[0] as Card;
  const extend = s.view.game === 'konken' ? cardsOf(s.hand, rest) : [];
  return extend.length > 0 ? { a: 'swap', meld, card, extend } : { a: 'swap', meld, card };
}

/** Why a verb is closed whatever is chosen; null when it is open. */
function closed(s: Situation, verb: Verb): string | null {
  const { act } = s.t;
  return whyClosed(s, verb, () => (verb === 'draw' || verb === 'take' ? act.drawn : act.drawFirst));
}

/** A card on a button. */
function named(t: TableTexts, card: Card): string {
  return isJoker(card) ? t.joker : signOf(card);
}

function draw(s: Situation): Move {
  const why = closed(s, 'draw');
  return move('draw', s.t.act.draw, why ?? s.t.act.fromStock, {
    enabled: why === null,
    action: { a: 'draw' },
  });
}

function take(s: Situation): Move {
  const why = closed(s, 'take');
  const card = s.view.discard;
  const label = why === null && card ? s.t.act.takeCard(named(s.t, card)) : s.t.act.take;
  return move('take', label, why ?? s.t.act.fromPile, { enabled: why === null, action: { a: 'take' } });
}

function lay(s: Situation): Move {
  const { t } = s;
  const keys = layKeys(s).flat();
  const action = layAction(s);
  const opens = s.view.game === 'conker' && s.you !== null && !s.view.opened[s.you];
  const [bare, many] = opens ? [t.conker.open, t.conker.openN] : [t.act.lay, t.act.layN];
  const label = keys.length > 0 ? many(keys.length) : bare;
  const tooLow = s.legal?.verbs.lay?.code === 'opening_too_low' && action !== null && denied(s, action);
  const why = tooLow || (closed(s, 'lay') ?? (action === null ? t.act.chooseCards : denied(s, action)));
  if (why !== null || action === null) return move('lay', label, why ?? '', { action, keys });
  const points = s.checked(action)?.t === 'checked' ? (s.checked(action) as Checked).points : null;
  return move('lay', label, typeof points === 'number' ? t.act.points(points) : '', {
    enabled: true,
    action,
    keys,
  });
}

function addKeys(s: Situation): readonly number[] {
  const inTray = s.hand.tray.flat();
  return [...s.hand.selected, ...pendingKeys(s).filter((key) => !inTray.includes(key))];
}

function add(s: Situation): Move {
  const { t, legal } = s;
  const keys = addKeys(s);
  const cards = cardsOf(s.hand, keys);
  const first = cards[0];
  const label =
    first === undefined
      ? t.act.add
      : cards.length === 1
        ? t.act.addCard(named(t, first))
        : t.act.addN(cards.length);
  const targets = [...new Set(cards.flatMap((card) => legal?.add[faceOf(card)] ?? []))].sort((a, b) => a - b);
  const why =
    closed(s, 'add') ?? (first === undefined ? t.act.chooseCard : targets.length === 0 ? t.act.noFit : null);
  if (why !== null) return move('add', label, why, { keys });
  const [meld] = targets;
  if (targets.length > 1 || meld === undefined) {
    return move('add', label, t.act.chooseMeld, { enabled: true, targets, keys });
  }
  const action = addTo(s, meld);
  const no = denied(s, action);
  return move('add', label, no ?? t.act.toMeld(meld), { enabled: no === null, action, targets, keys });
}

/** The chosen card that may take a Joker comes first, the others lengthen the run. */
function swapKeys(s: Situation, meld?: number): readonly number[] {
  const fits = (key: number) => {
    const melds = cardsOf(s.hand, [key]).flatMap((card) => s.legal?.swap[card] ?? []);
    return meld === undefined ? melds.length > 0 : melds.includes(meld);
  };
  const first = s.hand.selected.find(fits);
  if (first === undefined) return [];
  // In Konken the other chosen cards lengthen the run.
  const others = s.view.game === 'konken' ? s.hand.selected.filter((key) => key !== first) : [];
  return [first, ...others];
}

function swap(s: Situation): Move {
  const { t, legal } = s;
  const keys = swapKeys(s);
  const [card] = cardsOf(s.hand, keys);
  const [chosen, another] = cardsOf(s.hand, s.hand.selected);
  const unfit =
    chosen === undefined ? t.act.chooseCard : another ? t.act.noFit : t.act.notFor(named(t, chosen));
  const label = card === undefined ? t.act.swap : t.act.swapCard(named(t, card));
  const why = closed(s, 'swap') ?? (card === undefined ? unfit : null);
  if (why !== null || card === undefined)
    return move('swap', why === null ? label : t.act.swap, why ?? '', { keys });
  const targets = legal?.swap[card] ?? [];
  const [meld] = targets;
  if (targets.length > 1 || meld === undefined) {
    return move('swap', label, t.act.chooseMeld, { enabled: true, targets, keys });
  }
  const action = swapIn(s, meld);
  const no = action && denied(s, action);
  return move('swap', label, no ?? t.act.inMeld(meld), { enabled: no === null, action, targets, keys });
}

function discard(s: Situation): Move {
  const { t, legal } = s;
  const keys = s.hand.selected;
  const cards = cardsOf(s.hand, keys);
  const [card] = cards;
  if (card === undefined || cards.length > 1) {
    return move(
      'discard',
      t.act.discard,
      closed(s, 'discard') ?? (card ? t.act.chooseOne : t.act.chooseCard),
    );
  }
  const action: AnyAction = { a: 'discard', card };
  const label = t.act.discardCard(named(t, card));
  const why = closed(s, 'discard');
  if (why !== null) return move('discard', label, why, { action, keys });
  if (!legal?.discard.includes(card)) {
    return move('discard', label, denied(s, action) ?? t.act.notFor(named(t, card)), { action, keys });
  }
  return move(
    'discard',
    label,
    s.view.game === 'conker' && s.hand.slots.length === 1 ? t.conker.closes : t.act.endsTurn,
    {
      enabled: true,
      action,
      keys,
    },
  );
}
