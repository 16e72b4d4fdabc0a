import { describe, expect, it, vi } from 'vitest';
import { conker } from '../../games/conker';
import { conquian } from '../../games/conquian';
import { konken } from '../../games/konken';
import { en } from './en';
import { es } from './es';
import { id } from './id';
import { tr } from './tr';
import type { Extra } from './index';

// What lies on the felt wants a page; its keys do not.
vi.mock('../../state/app.svelte', () => ({ app: {} }));

const SOURCE = { opening: 0, goal: 11, arranges: true };
/** The keys that every game has (Table.svelte), and those of each. */
const KEYS = ['M', 'Z', 'O', 'R', ...[konken, conker, conquian].flatMap((game) => Object.values(game.keys))];

describe.each(Object.entries<Extra>({ en, tr, id, es }))('%s', (_lang, { guide, keys }) => {
  it('guides by the rules of the table', () => {
    expect(guide.konken(SOURCE)[1]).not.toMatch(/\d/);
    for (const opening of [31, 41, 51]) {
      expect(guide.conker({ ...SOURCE, opening })[1]).toContain(String(opening));
      expect(guide.konken({ ...SOURCE, opening })[1]).toContain(String(opening));
    }
    for (const goal of [9, 10, 11]) expect(guide.conquian({ ...SOURCE, goal })[2]).toContain(String(goal));
  });

  it('speaks of no help where there is none', () => {
    const arrange = /\*(Arrange|Diz|Susun|Arreglar)\*/;
    for (const opening of [0, 41]) {
      expect(guide.konken({ ...SOURCE, opening })[1]).toMatch(arrange);
      expect(guide.konken({ ...SOURCE, opening, arranges: false })[1]).not.toMatch(arrange);
    }
  });

  it('lists every key', () => {
    const listed = keys.list.flatMap(([names]) => names.split(', '));
    expect(KEYS.filter((key) => !listed.includes(key))).toEqual([]);
  });
});
