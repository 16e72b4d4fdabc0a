import type { AnyView, Held } from '../game';

/** Besides the hand nothing: a Joker that is swapped comes to the hand. */
export function heldInConker(view: AnyView, you: number | null): Held {
  if (view.game !== 'conker') return { extra: [], came: null, yours: false };
  const yours = view.turn === you;
  return { extra: [], came: view.drawn ?? (yours ? view.taken : null), yours };
}
