import { faceOf } from '../lib/cards';
import type { AnyEvent, Placed } from '../protocol';

/** Where a card lies on the screen: a place by its name, and which of the cards there. */
export interface Spot {
  /** The places to look in, the likeliest first. */
  readonly places: readonly string[];
  readonly card: Placed | null;
}

/** One card on its way. */
export interface Flight {
  readonly from: Spot;
  readonly to: Spot;
  /** `turn`: it lay face down and is turned over on the way; `hidden`: its face is not for this viewer. */
  readonly show: 'face' | 'turn' | 'hidden';
  readonly how: 'move' | 'burn' | 'deal';
  /** It swings out to one side of its way: what goes the other way swings out to the other. */
  readonly swings?: true;
}

/** More than this at once explain nothing: they are placed without a flight. */
const MOST = 6;

const spot = (places: readonly string[], card: Placed | null = null): Spot => ({ places, card });

/** The flights that tell what happened, in order. A deal is one of its own. */
export function flightsOf(
  events: readonly AnyEvent[],
  you: number | null,
  held: readonly string[],
): Flight[] {
  if (events.some((event) => event.e === 'dealt')) return deal(events, you, held);
  // Where the Joker goes to the hand, that is told by itself; else it waits to be used.
  const takes = events.some((event) => event.e === 'joker_taken');
  const flights = events.flatMap((event) => flightsOfOne(event, you, takes));
  return flights.length > MOST ? [] : flights;
}

function deal(events: readonly AnyEvent[], you: number | null, held: readonly string[]): Flight[] {
  const stock = spot(['stock']);
  const own = held.map((card): Flight => ({
    from: stock,
    to: spot(['hand'], card),
    show: 'turn',
    how: 'deal',
  }));
  const turned = events.flatMap((event): Flight[] => {
    const card = event.e === 'dealt' || event.e === 'turned_up' ? event.card : undefined;
    return card ? [{ from: stock, to: spot(['discard', 'centre'], card), show: 'turn', how: 'deal' }] : [];
  });
  return you === null ? turned : [...own, ...turned];
}

function flightsOfOne(event: AnyEvent, you: number | null, takes: boolean): Flight[] {
  const move = (from: Spot, to: Spot, show: Flight['show'] = 'face'): Flight => ({
    from,
    to,
    show,
    how: 'move',
  });
  const swing = (flight: Flight): Flight => ({ ...flight, swings: true });
  const handOf = (seat: number) => (seat === you ? ['tray', 'hand'] : [`seat-${seat}`]);
  switch (event.e) {
    case 'drew': {
      const own = event.seat === you && event.card != null;
      const to = own ? spot(['hand'], event.card) : spot([`seat-${event.seat}`]);
      return [move(spot(['stock']), to, own ? 'turn' : 'hidden')];
    }
    case 'took':
      return [move(spot(['discard'], event.card), spot(handOf(event.seat).slice(-1), event.card))];
    case 'discarded':
      return [move(spot(handOf(event.seat), event.card), spot(['discard', 'centre'], event.card))];
    case 'laid':
    case 'added':
      return event.cards.map((card) =>
        move(spot(handOf(event.seat), faceOf(card)), spot([`meld-${event.meld}`], card)),
      );
    case 'swapped':
      return [
        ...[event.card, ...event.extend].map((card) =>
          swing(move(spot(handOf(event.seat), card), spot([`meld-${event.meld}`], card))),
        ),
        ...(takes ? [] : [swing(move(spot([`meld-${event.meld}`], 'JK'), spot(handOf(event.seat), 'JK')))]),
      ];
    case 'joker_taken':
      return [swing(move(spot([`meld-${event.meld}`], 'JK'), spot(handOf(event.seat).slice(-1), 'JK')))];
    case 'burned':
      return event.cards.map((card) => ({
        from: spot([`meld-${event.meld}`], card),
        to: spot(['burned']),
        show: 'face' as const,
        how: 'burn' as const,
      }));
    case 'turned_up':
      return [move(spot(['stock']), spot(['centre'], event.card), 'turn')];
    case 'died':
      return [move(spot(['centre'], event.card), spot(['dead']))];
    case 'melded':
      // One's own cards lie there already: they were arranged before they were sent.
      if (event.seat === you) return [];
      return [
        move(spot(['centre'], event.card), spot([`table-${event.seat}`], event.card)),
        ...event.from_hand.map((card) =>
          move(spot(handOf(event.seat), card), spot([`table-${event.seat}`], card)),
        ),
      ];
    default:
      return [];
  }
}
