import { arrangeMelds } from '../../state/hand';
import type { Game, Move } from '../game';
import Felt from './Felt.svelte';
import { choose, mainMove, moves, targetHint, targets, VERBS, wantedChecks, type Situation } from './moves';

/** What Konken and Conker have in common on the screen. */
export const floorGame = {
  keys: { draw: 'D', take: 'T', swap: 'S', lay: 'L', add: 'A', discard: 'X' },
  ordered: false,
  marks: false,
  tray: true,
  bar(s: Situation) {
    const all = moves(s);
    return VERBS.map((verb) => all[verb]);
  },
  main: (_: Situation, bar: readonly Move[]) => mainMove(bar),
  wantedChecks,
  targets,
  targetHint,
  choose,
  arranged: arrangeMelds,
  Felt,
} satisfies Partial<Record<keyof Game, unknown>>;
