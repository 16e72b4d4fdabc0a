import { reason } from '../../i18n';
import { compareCards, signOf } from '../../lib/cards';
import type { AnyAction, Card, ConquianView, Meld } from '../../protocol';
import { cardsOf, inHand, regroup, type Arrangement } from '../../state/hand';
import { denied, move, whyClosed } from '../buttons';
import type { Choice, Move, Situation as AnySituation } from '../game';
import { tableKey } from './held';

// The tray is one's own table as it would lie: melds of old cards, the centre card and cards of the hand.

export type Situation = AnySituation<ConquianView>;

/** The centre card as a key; null where it cannot be used now. */
export function centreKey({ view, hand }: Pick<Situation, 'view' | 'hand'>): number | null {
  if (!view.centre) return null;
  const key = tableKey(view.centre.card);
  return hand.extra.some((slot) => slot.key === key) && !hand.base.flat().includes(key) ? key : null;
}

/** Whether the centre card lies in the arrangement, or only waits beside it. */
export function centrePlaced(s: Pick<Situation, 'view' | 'hand'>): boolean {
  const key = centreKey(s);
  return key !== null && s.hand.tray.flat().includes(key);
}

/** The cards of a meld in reading order; how they lie changes nothing. */
export function neat(cards: readonly Card[]): Card[] {
  return [...cards].sort(compareCards('suit'));
}

function meldAction(hand: Arrangement): Meld {
  return { a: 'meld', melds: hand.tray.map((keys) => neat(cardsOf(hand, keys))) };
}

/** The arrangement with the centre card, and what is chosen, in one meld of it; null: in a new one. */
function withCentre(s: Situation, to: number | null): Arrangement | null {
  const key = centreKey(s);
  if (key === null) return null;
  const selected = [...new Set([...s.hand.selected, key])];
  return regroup({ ...s.hand, selected }, to);
}

/** Every place where centre card and selection could go, as whole arrangements. */
function candidates(s: Situation): { to: number | null; hand: Arrangement; action: Meld }[] {
  if (centreKey(s) === null || centrePlaced(s)) return [];
  const chosen = s.hand.selected.length > 0;
  const places = [...s.hand.tray.keys(), ...(chosen ? [null] : [])];
  return places.flatMap((to) => {
    const hand = withCentre(s, to);
    return hand ? [{ to, hand, action: meldAction(hand) }] : [];
  });
}

function works(s: Situation, action: AnyAction): boolean {
  const answer = s.checked(action);
  return answer?.t === 'checked' && !answer.code;
}

/** The candidates that the server would take. */
export function fitting(s: Situation) {
  return candidates(s).filter(({ action }) => works(s, action));
}

/** What `Meld` would lay: the arrangement, or where it lacks the centre card the one place that would take it. */
function proposed(s: Situation): Meld | null {
  if (centreKey(s) === null) return null;
  if (centrePlaced(s)) return meldAction(s.hand);
  const [only, another] = fitting(s);
  if (only && !another) return only.action;
  const alone = candidates(s).find(({ to }) => to === null);
  return another || !alone ? null : alone.action;
}

const decides = ({ view, you }: Situation) =>
  view.turn === you && ['own', 'offered', 'forced'].includes(view.phase);

export function wantedChecks(s: Situation): readonly AnyAction[] {
  if (s.legal === null || !decides(s) || s.legal.verbs.meld !== null) return [];
  if (centrePlaced(s)) return [meldAction(s.hand)];
  return candidates(s).map(({ action }) => action);
}

/** The melds that may be chosen by their number, from 1; one more is a new one. */
export function targets(s: Situation): readonly number[] {
  if (!decides(s)) return [];
  if (s.hand.selected.length > 0) return [...s.hand.tray.keys(), s.hand.tray.length].map((at) => at + 1);
  return fitting(s).flatMap(({ to }) => (to === null ? [] : [to + 1]));
}

/** Whether the centre card could go there as things stand. */
export function takesCentre(s: Situation, meld: number): boolean {
  return fitting(s).some(({ to }) => (to ?? s.hand.tray.length) + 1 === meld);
}

export function targetHint(s: Situation, meld: number): string {
  return s.view.centre && takesCentre(s, meld) ? s.t.table.fits(signOf(s.view.centre.card)) : '';
}

/** The selection moves there; without one the centre card does. */
export function choose(s: Situation, meld: number): Choice | null {
  const to = meld > s.hand.tray.length ? null : meld - 1;
  if (s.hand.selected.length > 0) return { hand: regroup(s.hand, to) };
  const hand = withCentre(s, to);
  return hand && { hand };
}

/** Why a verb is closed whatever is chosen; null when it is open. */
function closed(s: Situation, verb: string): string | null {
  const { phase } = s.view;
  const words = s.t.conquian;
  return whyClosed(s, verb, () => {
    if (phase === 'exchange') return null;
    if (verb === 'discard') return words.meldFirst;
    if (verb === 'meld' && phase === 'discard') return words.discardFirst;
    return verb === 'force' && phase === 'own' ? words.yoursFirst : null;
  });
}

/** The four places: pass or let it go, force, discard or exchange, meld. */
export function bar(s: Situation): readonly Move[] {
  return [
    s.view.phase === 'window' ? waive(s) : pass(s),
    force(s),
    s.view.phase === 'exchange' ? exchange(s) : discard(s),
    meld(s),
  ];
}

export function main(s: Situation, moves: readonly Move[]): string | null {
  const open = (verb: string) => moves.some((one) => one.verb === verb && one.enabled);
  const order = s.view.phase === 'discard' ? ['discard'] : ['meld', 'exchange'];
  const due = order.find(open);
  if (due) return due;
  return s.view.phase === 'window' && open('force') ? 'force' : open('pass') ? 'pass' : null;
}

const other = (s: Situation) => s.names[s.you === 0 ? 1 : 0] ?? '';

function pass(s: Situation): Move {
  const { t, view } = s;
  const why = closed(s, 'pass');
  const card = view.centre ? signOf(view.centre.card) : '';
  const detail = view.phase === 'own' ? t.conquian.passOwn(other(s)) : t.conquian.passDead(card);
  return move('pass', t.conquian.pass, why ?? detail, { enabled: why === null, action: { a: 'pass' } });
}

function waive(s: Situation): Move {
  const why = closed(s, 'waive');
  const card = s.view.centre ? signOf(s.view.centre.card) : '';
  return move('waive', s.t.conquian.waive, why ?? s.t.conquian.passDead(card), {
    enabled: why === null,
    action: { a: 'waive' },
  });
}

/** The card of the hand that is chosen, if it is one alone. */
function chosenCard(s: Situation): { card: Card; keys: readonly number[] } | null {
  const held = inHand(s.hand).map((slot) => slot.key);
  const keys = s.hand.selected.filter((key) => held.includes(key));
  const [card, another] = cardsOf(s.hand, keys);
  return card !== undefined && another === undefined ? { card, keys } : null;
}

function force(s: Situation): Move {
  const { t, view } = s;
  const words = t.conquian;
  if (view.phase === 'discard' && view.turn === s.you) {
    const one = chosenCard(s);
    const why = closed(s, 'discard');
    if (why !== null || !one) return move('force', words.force, why ?? t.act.chooseCard);
    const may = view.forceable.includes(one.card);
    return move(
      'force',
      words.forceCard(signOf(one.card)),
      may ? words.forceOn(other(s)) : reason(t, 'cannot_force'),
      { enabled: may, action: { a: 'discard', card: one.card, force: true }, keys: one.keys },
    );
  }
  const why = closed(s, 'force');
  return move('force', words.force, why ?? words.forceOn(other(s)), {
    enabled: why === null,
    action: { a: 'force' },
  });
}

function discard(s: Situation): Move {
  const { t } = s;
  const one = chosenCard(s);
  const label = one ? t.act.discardCard(signOf(one.card)) : t.act.discard;
  const why = closed(s, 'discard');
  if (why !== null || !one)
    return move('discard', why === null ? label : t.act.discard, why ?? t.act.chooseOne);
  return move('discard', label, t.conquian.offers(other(s)), {
    enabled: true,
    action: { a: 'discard', card: one.card },
    keys: one.keys,
  });
}

function exchange(s: Situation): Move {
  const { t } = s;
  const one = chosenCard(s);
  const label = one ? t.conquian.exchangeCard(signOf(one.card)) : t.conquian.exchange;
  const why = s.you !== null && s.view.exchange?.chosen[s.you] ? t.conquian.chosen : closed(s, 'exchange');
  if (why !== null || !one) return move('exchange', label, why ?? t.act.chooseOne);
  return move('exchange', label, t.conquian.exchangeTo(other(s)), {
    enabled: true,
    action: { a: 'exchange', card: one.card },
    keys: one.keys,
  });
}

function meld(s: Situation): Move {
  const { t } = s;
  const words = t.conquian;
  const why = closed(s, 'meld');
  if (why !== null) return move('meld', words.meld, why);
  const action = proposed(s);
  if (action === null) {
    const several = fitting(s).length > 1;
    return move('meld', words.meld, several ? t.act.chooseMeld : t.act.chooseCards);
  }
  const count = action.melds.flat().length;
  const refusal = denied(s, action);
  if (refusal !== null) return move('meld', words.meldN(count), refusal, { action });
  const used = action.melds.flat();
  const keys = s.hand.slots.filter((slot) => used.includes(slot.card)).map((slot) => slot.key);
  return move('meld', words.meldN(count), keys.length === s.hand.slots.length ? '' : words.thenDiscard, {
    enabled: true,
    action,
    keys,
  });
}
