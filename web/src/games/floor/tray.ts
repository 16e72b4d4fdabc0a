import { reason } from '../../i18n';
import { isJoker } from '../../lib/cards';
import type { Card } from '../../protocol';
import { cardsOf } from '../../state/hand';
import { optionOf } from '../index';
import type { Situation as AnySituation } from '../game';
import { layAction, type FloorView } from './moves';

export interface TrayWords {
  readonly points: number | null;
  /** Points that the opening needs, while they matter. */
  readonly needed: number | null;
  readonly why: string;
  /** What each meld is, in the words of the game. */
  readonly kinds: readonly string[];
}

/** What the tray is worth, or what is missing: all of it from dry runs. */
export function trayOf(s: AnySituation, view: FloorView): TrayWords {
  const { t } = s;
  const kinds = view.game === 'conker' ? s.hand.tray.map((keys) => kindOf(s, cardsOf(s.hand, keys))) : [];
  const action = layAction(s);
  const answer = action && s.checked(action);
  if (!answer || answer.code === 'rate_limited') return { points: null, needed: null, why: '', kinds };
  const detail = answer.detail ?? {};
  if (answer.code === 'opening_too_low') {
    const [points, needed] = [Number(detail.points ?? 0), Number(detail.needed ?? 0)];
    return { points, needed, why: t.conker.more(needed - points), kinds };
  }
  const points = answer.t === 'checked' ? (answer.points ?? null) : null;
  const opens = view.game === 'conker' && s.you !== null && !view.opened[s.you];
  const needed = opens && s.about && !answer.code ? optionOf(s.about, 'opening_points') : null;
  return { points, needed, why: answer.code ? reason(t, answer.code, detail) : '', kinds };
}

/** A name for what was put together, with its points where they are known, or what is wrong with it. */
function kindOf(s: AnySituation, cards: readonly Card[]): string {
  const naturals = cards.filter((card) => !isJoker(card));
  const alike = new Set(naturals.map((card) => card.charAt(0))).size === 1;
  const name = s.t.conker.kind(alike, cards.length);
  const answer = s.checked({ a: 'lay', melds: [cards] });
  if (!answer) return name;
  if (answer.code === 'opening_too_low') return `${name} · ${answer.detail?.points ?? ''}`;
  if (answer.code && answer.code !== 'keep_one_card') return reason(s.t, answer.code, answer.detail);
  return answer.t === 'checked' && answer.points ? `${name} · ${answer.points}` : name;
}
