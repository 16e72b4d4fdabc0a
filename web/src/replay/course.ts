import type { Extra } from '../i18n/extra';
import type { Messages } from '../i18n';
import type { AnyEvent, Card, HandReplay, MeldView, Placed, ReplayStep } from '../protocol';
import { narrate } from '../state/narrate';

/** One meld as it lies at a step; `fresh` says that this step changed it. */
export interface ReplayMeld {
  readonly id: number;
  /** Whose it is, where tables are not shared. */
  readonly seat: number | null;
  readonly cards: readonly Placed[];
  readonly fresh: boolean;
}

/** What lies on the table at a step, of whatever game. */
export interface ReplayTable {
  readonly melds: readonly ReplayMeld[];
  readonly stock: number;
  /** The card that lies open: the top of the discard pile, or the centre. */
  readonly open: Card | null;
  /** Cards out of play, in games that have such. */
  readonly dead: number | null;
}

export function tableAt(replay: HandReplay, at: number): ReplayTable {
  const view = replay.steps[at]?.view;
  if (!view) return { melds: [], stock: 0, open: null, dead: null };
  const before = at > 0 ? meldsOf(replay.steps[at - 1]) : [];
  const known = new Set(before.map((meld) => meld.cards.join()));
  const melds = meldsOf(replay.steps[at]).map((meld) => ({ ...meld, fresh: !known.has(meld.cards.join()) }));
  if (view.game === 'conquian')
    return { melds, stock: view.stock, open: view.centre?.card ?? null, dead: view.dead };
  const dead = view.game === 'conker' ? view.burned.length : null;
  return { melds, stock: view.stock, open: view.discard, dead };
}

function meldsOf(step: ReplayStep | undefined): Omit<ReplayMeld, 'fresh'>[] {
  const view = step?.view;
  if (!view) return [];
  if (view.game === 'conquian') {
    return view.table.flatMap((melds, seat) => melds.map((cards, at) => ({ id: at + 1, seat, cards })));
  }
  return view.table.map(({ id, cards }: MeldView) => ({ id, seat: null, cards }));
}

/** A name without the level that the record writes behind a bot's. */
export function shortName(name: string): string {
  return name.replace(/ \((novice|regular|expert)\)$/, '');
}

export function isBot(name: string): boolean {
  return shortName(name) !== name;
}

/** Events as one seat knew them at the time; with all hands open nothing is hidden. */
export function seenBy(events: readonly AnyEvent[], eyes: number | null): AnyEvent[] {
  return events.map((event) => {
    if (eyes === null || event.e !== 'drew' || event.seat === eyes) return event;
    return { e: 'drew', seat: event.seat };
  });
}

/** A step in words, a line for each thing that happened. */
export function wordsOf(
  replay: HandReplay,
  at: number,
  eyes: number | null,
  you: number | null,
  t: Messages,
  words: Extra['replay'],
): { who: string | null; text: string }[] {
  const step = replay.steps[at];
  const names = replay.players.map(shortName);
  if (!step) return [];
  if (at === 0) return [{ who: null, text: words.dealt(names[replay.dealer] ?? '') }];
  if (step.seat === null) return [{ who: null, text: noteOf(step.note, names, words) }];
  const lines = seenBy(step.events, eyes).map((event) => narrate(event, names, you, t));
  const late = step.note.includes('timeout') ? ` (${words.timeout})` : '';
  return lines.map((line, index) => (index === 0 ? { ...line, text: line.text + late } : line));
}

function noteOf(note: string, names: readonly string[], words: Extra['replay']): string {
  const [what = '', seat = ''] = note.split(' ');
  if (what === 'reshuffle') return words.note.reshuffle;
  const tell = words.note[what as 'bot'];
  return tell ? tell(names[Number(seat)] ?? '') : note;
}
