import { reason } from '../i18n';
import type { AnyAction } from '../protocol';
import type { AnyView, Move, Situation } from './game';

// What the buttons of all games have in common.

/** A button; closed as long as nothing opens it. */
export function move(verb: string, label: string, detail: string, rest: Partial<Move> = {}): Move {
  return { verb, label, detail, enabled: false, action: null, targets: [], keys: [], ...rest };
}

/**
 * Why a verb is closed whatever is chosen, in the words of its button; null when it is open. `first` may say what has to
 * come before it, where the player is asked for something else.
 */
export function whyClosed<View extends AnyView>(
  { t, legal, view, you, blocked }: Situation<View>,
  verb: string,
  first: () => string | null,
): string | null {
  if (you === null) return t.act.notSeated;
  if (blocked !== null)
    return { sending: t.act.sending, offline: t.act.offline, stand_in: t.act.standIn }[blocked];
  const refusal = legal === null ? { code: 'not_your_turn' as const, detail: {} } : legal.verbs[verb];
  if (refusal === undefined || refusal === null) return null;
  const before = refusal.code === 'wrong_phase' && view.turn === you ? first() : null;
  return before ?? reason(t, refusal.code, refusal.detail);
}

/** What the server thinks of an action: a refusal in a few words, or null. */
export function denied<View extends AnyView>(
  { t, checked }: Situation<View>,
  action: AnyAction,
): string | null {
  const answer = checked(action);
  // A dry run that came too fast says nothing about the move itself.
  if (!answer?.code || answer.code === 'rate_limited' || answer.code === 'stale_decision') return null;
  return reason(t, answer.code, answer.detail);
}
