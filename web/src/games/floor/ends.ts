import { isJoker } from '../../lib/cards';
import type { Add, Card } from '../../protocol';
import type { AnyView } from '../game';

/** Whether a card added to this meld might go to either end, so that the player should be asked. */
export function mayChooseEnd(action: Add, view: AnyView): boolean {
  if (view.game === 'conquian') return false;
  const fitsTwice = (card: Card) => isJoker(card) || (view.game === 'conker' && card.startsWith('A'));
  return (
    action.cards.some(fitsTwice) && view.table.some((meld) => meld.id === action.meld && meld.kind === 'run')
  );
}
