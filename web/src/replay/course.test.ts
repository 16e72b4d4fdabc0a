import { describe, expect, it } from 'vitest';
import { en } from '../i18n/fixtures';
import { en as extra } from '../i18n/extra/en';
import type { HandReplay, KonkenView, ReplayStep } from '../protocol';
import { seenBy, tableAt, wordsOf } from './course';

const view = (more: Partial<KonkenView>): KonkenView => ({
  game: 'konken',
  phase: 'draw',
  turn: 0,
  first: 0,
  hand: null,
  drawn: null,
  counts: [13, 13, 13, 13],
  table: [],
  stock: 53,
  discard: 'KD',
  discards: 1,
  opened: [],
  laid: [],
  taken: null,
  pending: null,
  result: null,
  ...more,
});
const step = (seat: number | null, note: string, more: Partial<ReplayStep> = {}): ReplayStep => ({
  seat,
  note,
  events: [],
  hands: [],
  view: view({}),
  ...more,
});
const fives = { id: 1, kind: 'group' as const, cards: ['5H', '5S', 'JK=5C'] };
const replay: HandReplay = {
  game: 'konken',
  hand_no: 2,
  dealer: 3,
  players: ['North', 'Bot 1 (regular)', 'South', 'Bot 2 (novice)'],
  steps: [
    step(null, ''),
    step(1, '1.2s', { events: [{ e: 'drew', seat: 1, card: '9C' }] }),
    step(1, 'timeout', {
      events: [{ e: 'laid', seat: 1, meld: 1, cards: fives.cards }],
      view: view({ table: [fives] }),
    }),
    step(null, 'bot 2', { view: view({ table: [fives] }) }),
  ],
  deal: [],
  turned: 'KD',
  stock: [],
  commit: '',
  seed: '',
  nonces: [],
  result: { ending: 'out', winners: [], points: [], penalties: [], hands: [] },
  share: '',
};
const words = (at: number, eyes: number | null = null) =>
  wordsOf(replay, at, eyes, 0, en, extra.replay).map((line) => `${line.who ?? ''} ${line.text}`.trim());

describe('a replay', () => {
  it('tells the deal, the moves and what befell a seat', () => {
    expect(words(0)).toEqual(['Dealer: Bot 2']);
    expect(words(1)).toEqual(['Bot 1 drew 9♣']);
    expect(words(2)).toEqual(['Bot 1 laid meld 1: 5♥ 5♠ ★=5♣ (out of time)']);
    expect(words(3)).toEqual(['A bot plays on for South']);
  });

  it('hides from a seat what it could not know', () => {
    expect(words(1, 0)).toEqual(['Bot 1 drew a card']);
    expect(words(1, 1)).toEqual(['Bot 1 drew 9♣']);
    expect(seenBy(replay.steps[1]?.events ?? [], 0)).toEqual([{ e: 'drew', seat: 1 }]);
  });

  it('marks the meld that a step has changed', () => {
    expect(tableAt(replay, 1).melds).toEqual([]);
    expect(tableAt(replay, 2).melds).toMatchObject([{ id: 1, fresh: true }]);
    expect(tableAt(replay, 3).melds).toMatchObject([{ id: 1, fresh: false }]);
  });
});
