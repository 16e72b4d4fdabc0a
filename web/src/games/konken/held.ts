import { PENDING } from '../../state/hand';
import type { AnyView, Held } from '../game';

/** Besides the hand: the Joker taken off the table, which has to be used at once. */
export function heldInKonken(view: AnyView, you: number | null): Held {
  if (view.game !== 'konken') return { extra: [], came: null, yours: false };
  const yours = view.turn === you;
  const came = view.drawn ?? (yours ? view.taken : null);
  return { extra: yours && view.pending !== null ? [PENDING] : [], came, yours };
}
