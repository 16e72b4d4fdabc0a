import type { TableTexts } from '../i18n';
import { roleOf } from '../lib/cards';
import type { Placed } from '../protocol';

/** A card in spoken words. */
export function speakCard(t: TableTexts, card: Placed): string {
  const role = roleOf(card);
  if (role) return t.jokerAs(t.card(role.charAt(0), role.charAt(1)));
  return card.startsWith('JK') ? t.joker : t.card(card.charAt(0), card.charAt(1));
}

/** Cards that lie together. */
export function speakCards(t: TableTexts, cards: readonly Placed[]): string {
  return cards.map((card) => speakCard(t, card)).join(', ');
}
