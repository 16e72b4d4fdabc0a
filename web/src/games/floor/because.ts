import type { Messages } from '../../i18n';
import type { About, Result } from '../../protocol';

/** Points that come from the cards others were left with. */
export function pointsFrom(result: Result, seat: number, _about: About, t: Messages): string {
  const others = result.penalties.filter((_, at) => at !== seat && !result.winners.includes(at));
  const fromOthers = others.reduce((sum, points) => sum + points, 0);
  // Only where the server's figures add up so: a shared pot, for instance, does not.
  if (result.winners.includes(seat) && others.length > 0 && fromOthers === result.points[seat]) {
    return t.result.sum(others.join(' + '));
  }
  return result.hands[seat]?.length ? t.result.left(result.penalties[seat] ?? 0) : t.result.none;
}
