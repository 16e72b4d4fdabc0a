import { describe, expect, it } from 'vitest';
import type { Messages } from '../i18n';
import { en } from '../i18n/fixtures';
import { tr } from '../i18n/fixtures';
import type { AnyEvent, Result } from '../protocol';
import { narrate, tellEnding } from './narrate';
import { speakCard } from './speak';

const NAMES = ['Ada', 'West', 'North', 'Bot 1'];
const line = (event: AnyEvent, t: Messages = en, you: number | null = 0) => {
  const told = narrate(event, NAMES, you, t);
  return [told?.who, told?.text].filter(Boolean).join(' ');
};
const result: Result = {
  ending: 'out',
  winners: [1],
  points: [-3, 9, -3, -3],
  penalties: [3, 0, 3, 3],
  hands: [],
};

describe('the log', () => {
  it('names the card only where it is known', () => {
    expect(line({ e: 'drew', seat: 1 })).toBe('West drew a card');
    expect(line({ e: 'drew', seat: 0, card: '7H' })).toBe('You drew 7♥');
  });

  it('speaks to oneself and of others', () => {
    expect(line({ e: 'took', seat: 0, card: 'TD' }, tr)).toBe('Sen ıskartadan 10♦ aldın');
    expect(line({ e: 'took', seat: 1, card: 'TD' }, tr)).toBe('West ıskartadan 10♦ aldı');
  });

  it('shows what a Joker stands for', () => {
    expect(line({ e: 'laid', seat: 2, meld: 4, cards: ['9S', 'TS', 'JK=JS'] })).toBe(
      'North laid meld 4: 9♠ 10♠ ★=J♠',
    );
    expect(speakCard(en, 'JK=JS')).toBe('Joker as jack of spades');
    expect(speakCard(tr, 'QH')).toBe('kupa kız');
  });

  it('names a bot that is not there any more by what the event says', () => {
    expect(line({ e: 'bot_dropped', seat: 3, name: 'Bot 4' })).toBe('Bot 4 was sent away');
  });

  it('tells who left, who was sent away, and who chose what about whom', () => {
    expect(line({ e: 'left', seat: 2, name: 'Noor', kind: 'left' })).toBe('Noor left the table for good');
    expect(line({ e: 'left', seat: 2, name: 'Noor', kind: 'kicked' })).toBe('Noor was sent away by the host');
    expect(line({ e: 'voted', seat: 1, absent: 2, choice: 'wait' })).toBe('West waits for North');
    expect(line({ e: 'renamed', seat: 1, name: 'Ada' })).toBe('West now goes by Ada');
  });

  it('tells what belongs to the other games, and no hidden card', () => {
    expect(line({ e: 'dealt', dealer: 0, first: 1 })).toBe('Dealer: You');
    expect(line({ e: 'forced', seat: 0, card: '7H' })).toBe('You have to meld 7♥');
    expect(line({ e: 'exchange_chosen', seat: 1 }, tr)).toBe('West değiş tokuş için kart seçti');
    expect(line({ e: 'reshuffled', count: 1 })).toContain('1 card');
  });

  it('says a phrase in the language of the reader', () => {
    const said = narrate({ e: 'said', seat: 1, phrase: 3 }, NAMES, 0, tr);
    expect(said).toEqual({ who: 'West', text: '“Teşekkürler!”' });
  });
});

it('tells how a hand ended', () => {
  expect(tellEnding(result, NAMES, 0, en)).toBe('\u2068West\u2069 went out');
  expect(tellEnding(result, NAMES, 1, en)).toBe('You went out');
  expect(tellEnding({ ...result, ending: 'stock', winners: [0, 2] }, NAMES, null, en)).toContain(
    '\u2068Ada\u2069, \u2068North\u2069',
  );
  expect(tellEnding({ ...result, ending: 'void', winners: [] }, NAMES, 0, en)).toBe('The hand is void');
});
