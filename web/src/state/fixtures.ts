import type { Frame, KonkenView, Legal, SeatView } from '../protocol';

// What tests start from: a table of four in the middle of a hand, seen from seat 0.

export function seat(name: string, more: Partial<SeatView> = {}): SeatView {
  return {
    kind: 'person',
    name,
    level: null,
    stand_in: false,
    here: true,
    away_until: null,
    ready: false,
    total: 0,
    asked: false,
    deadline: null,
    ...more,
  };
}

export function view(more: Partial<KonkenView> = {}): KonkenView {
  return {
    game: 'konken',
    phase: 'act',
    turn: 0,
    first: 0,
    hand: ['2S', '3S', '4S', '4H', '9D', '9D', 'JK'],
    drawn: null,
    counts: [7, 13, 13, 13],
    table: [
      { id: 1, kind: 'run', cards: ['5H', '6H', '7H'] },
      { id: 2, kind: 'group', cards: ['7C', '7D', '7S'] },
      { id: 3, kind: 'run', cards: ['9S', 'TS', 'JK=JS'] },
    ],
    stock: 41,
    discard: 'KD',
    discards: 9,
    opened: [true, true, false, false],
    laid: [true, true, false, false],
    taken: null,
    pending: null,
    result: null,
    ...more,
  };
}

export function legal(more: Partial<Legal> = {}): Legal {
  const wrongPhase = { code: 'wrong_phase', detail: {} } as const;
  return {
    verbs: { draw: wrongPhase, take: wrongPhase, lay: null, add: null, swap: null, discard: null },
    discard: ['2S', '3S', '4S', '4H', '9D', 'JK'],
    add: { '4H': [1], JK: [1, 2, 3] },
    swap: {},
    ...more,
  };
}

export function frame(more: Partial<Frame> = {}): Frame {
  return {
    t: 'frame',
    table: '0abc',
    v: 10,
    now: 1_000_000,
    you: 0,
    view: {
      phase: 'playing',
      paused: false,
      seats: [seat('Yusuf', { asked: true }), seat('West'), seat('North'), seat('Bot 1', { kind: 'bot' })],
      hand_no: 4,
      hand: view(),
      dealer: 3,
      host: 0,
      ready_by: null,
      commitment: 'ab',
      proof: null,
      absences: [],
      outcome: null,
    },
    legal: legal(),
    decision: 5,
    ...more,
  };
}
