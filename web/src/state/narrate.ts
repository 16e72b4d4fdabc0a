import { roleOf, signOf } from '../lib/cards';
import { isolated, type Messages } from '../i18n';
import type { AnyEvent, Placed, Result } from '../protocol';

/** What the log tells: the server's events, and the phrases that are said. */
export type Told = AnyEvent | { readonly e: 'said'; readonly seat: number; readonly phrase: number };

/** One line of the log: who did it (null: nobody in particular) and what. */
export interface Line {
  readonly who: string | null;
  readonly text: string;
}

export function listCards(cards: readonly Placed[]): string {
  return cards.map((card) => (roleOf(card) ? `★=${signOf(roleOf(card) as string)}` : signOf(card))).join(' ');
}

/** An event in words. `names` are by seat, as they were when it happened. */
export function narrate(event: Told, names: readonly string[], you: number | null, t: Messages): Line {
  const name = (seat: number) => (seat === you ? t.you : names[seat] || '?');
  const said = (seat: number, text: string): Line => ({ who: name(seat), text });
  const log = t.log;
  switch (event.e) {
    case 'dealt':
      return { who: null, text: log.dealt(name(event.dealer), event.card ? signOf(event.card) : '') };
    case 'drew':
      return said(event.seat, log.drew(event.seat === you, event.card ? signOf(event.card) : ''));
    case 'took':
      return said(event.seat, log.took(event.seat === you, signOf(event.card)));
    case 'laid':
      return said(event.seat, log.laid(event.seat === you, event.meld, listCards(event.cards)));
    case 'added':
      return said(event.seat, log.added(event.seat === you, event.meld, listCards(event.cards)));
    case 'swapped': {
      const cards = listCards([event.card, ...event.extend]);
      return said(event.seat, log.swapped(event.seat === you, event.meld, cards));
    }
    case 'joker_taken':
      return said(event.seat, log.joker_taken(event.seat === you, event.meld));
    case 'burned':
      return said(event.seat, log.burned(event.seat === you, event.meld, listCards(event.cards)));
    case 'reshuffled':
      return { who: null, text: log.reshuffled(event.count) };
    case 'turned_up':
      return said(event.seat, log.turned_up(event.seat === you, signOf(event.card)));
    case 'melded': {
      const cards = listCards([event.card, ...event.from_hand]);
      return said(event.seat, log.melded(event.seat === you, cards));
    }
    case 'passed':
      return said(event.seat, log.passed(event.seat === you, signOf(event.card)));
    case 'forced':
      return said(event.seat, log.forced(event.seat === you, signOf(event.card)));
    case 'waived':
      return said(event.seat, log.waived(event.seat === you));
    case 'died':
      return { who: null, text: log.died(signOf(event.card)) };
    case 'exchange_chosen':
      return said(event.seat, log.exchange_chosen(event.seat === you, event.card ? signOf(event.card) : ''));
    case 'exchange_made':
      return { who: null, text: log.exchange_made(event.gave ? listCards(event.gave) : '') };
    case 'discarded':
      return said(event.seat, log.discarded(event.seat === you, signOf(event.card)));
    case 'hand_ended': {
      const [winner] = event.result.winners;
      if (event.result.ending === 'out' && winner !== undefined) return said(winner, log.out(winner === you));
      const told = { stock: log.stock, void: log.void, draw: log.drawn, left: log.match, out: log.match };
      return { who: null, text: told[event.result.ending] };
    }
    case 'sat':
      return { who: event.seat === you ? t.you : event.name, text: log.sat(event.seat === you) };
    case 'stood':
      return { who: event.name, text: log.stood(false) };
    case 'bot_seated':
      return { who: event.name, text: log.bot_seated };
    case 'bot_dropped':
      return { who: event.name, text: log.bot_dropped };
    case 'seat_ready':
      return said(event.seat, log.ready(event.seat === you, event.on));
    case 'seat_away':
      return said(event.seat, log.away(event.seat === you));
    case 'seat_back':
      return said(event.seat, log.back(event.seat === you));
    case 'stand_in':
      return said(event.seat, log.stand_in(event.seat === you));
    case 'handed_back':
      return said(event.seat, log.handed_back(event.seat === you));
    case 'clock_ran_out':
      return said(event.seat, log.clock(event.seat === you));
    case 'clocks_restarted':
      return { who: null, text: log.clocks[event.why] };
    case 'voted':
      return said(event.seat, log.voted[event.choice](event.seat === you, names[event.absent] || '?'));
    case 'match_ended':
      return { who: null, text: log.match };
    case 'left':
      return { who: event.seat === you ? t.you : event.name, text: log[event.kind](event.seat === you) };
    case 'renamed':
      return said(event.seat, log.renamed(event.seat === you, event.name));
    case 'recovered':
      return { who: null, text: log.recovered };
    case 'said':
      return said(event.seat, t.quoted(t.phrase(event.phrase)));
    default:
      return unknown(event);
  }
}

/** No event is forgotten here, or this does not compile. A newer server may still send one; the view shows its effect. */
function unknown(_event: never): Line {
  return { who: null, text: '…' };
}

/** How a hand ended, in one line. */
export function tellEnding(
  result: Result,
  names: readonly string[],
  you: number | null,
  t: Messages,
): string {
  const winners = result.winners
    .map((seat) => (seat === you ? t.you : isolated(names[seat] ?? '?')))
    .join(', ');
  const alone = result.winners.length === 1 && result.winners[0] === you;
  if (result.ending === 'void') return t.ending.void;
  if (result.ending === 'draw') return t.ending.draw;
  if (result.ending === 'left') {
    const gone = names.filter((_, seat) => !result.winners.includes(seat)).join(', ');
    return t.ending.left_by(gone);
  }
  if (result.ending === 'out') return alone ? t.ending.youOut : t.ending.out(winners);
  return alone ? t.ending.youStock : t.ending.stock(winners);
}
