import { expect, it } from 'vitest';

const FILES = import.meta.glob<string>('/src/**/*.{ts,svelte}', {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Where a hand is drawn from (tests/browser/test_size.py). */
const FIRST = [
  '/src/main.ts',
  '/src/pages/Table.svelte',
  '/src/table/Playing.svelte',
  ...['konken', 'conker', 'conquian'].map((game) => `/src/games/${game}/index.ts`),
];

/** The file that an import names. */
function named(path: string, from: string): string {
  const file = new URL(path, `file://${from}`).pathname;
  const found = [file, `${file}.ts`, `${file}/index.ts`].find((one) => one in FILES);
  if (!found) throw new Error(`no such file: ${path} from ${from}`);
  return found;
}

/** A file and all that it cannot be loaded without, with what is written in them. */
function needed(first: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const todo = [first]; todo.length > 0;) {
    const file = todo.pop() ?? '';
    if (found.has(file)) continue;
    const text = FILES[file] ?? '';
    found.set(file, text);
    for (const [, path] of text.matchAll(/^\s*(?:import|export) (?!type )[^;]*?from '(\.[^'?]*)';/gm))
      if (path) todo.push(named(path, file));
  }
  return found;
}

const speaksAll = (file: string) =>
  [...needed(file)].filter(([, text]) => /\bapp\.t\b/.test(text)).map(([name]) => name);

it('draws a hand with the words of a table alone', () => {
  expect(new Set(FIRST.flatMap((file) => [...needed(file).keys()])).size).toBeGreaterThan(40);
  expect(FIRST.flatMap(speaksAll)).toEqual([]);
});

/** The parts that a file loads when it needs them, and what those load that came without the other words. */
function partsOf(file: string): { worded: boolean; file: string }[] {
  return [...needed(file)].flatMap(([name, text]) =>
    [...text.matchAll(/(worded\()?\(\) =>\s*(?:\{[^}]*?return )?import\('(\.[^']*)'\)/g)].flatMap(
      ([, worded, path]) => {
        const part = { worded: worded !== undefined, file: named(path ?? '', name) };
        return part.worded || FIRST.includes(part.file) ? [part] : [part, ...partsOf(part.file)];
      },
    ),
  );
}

it('loads the other words with every part that reads them', () => {
  const parts = FIRST.flatMap(partsOf);
  expect(parts.length).toBeGreaterThan(15);
  const mute = parts.filter(({ worded, file }) => !worded && speaksAll(file).length > 0);
  expect(mute.map(({ file }) => file)).toEqual([]);
});
