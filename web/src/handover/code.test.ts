import { correction, generate } from 'lean-qr';
import { describe, expect, it } from 'vitest';
import { qrCode } from './code';

const ADDRESS = 'https://cards.example/handover#Zx3kQ0b9vT1sJm7aYw5LhRcPq2E.3-abcdefghijklm';

/** The modules that a path covers, as rows of # and spaces. */
function drawn(path: string, size: number): string[] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => ' '));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    for (let at = 0; at < Number(width); at++) (rows[Number(y)] as string[])[Number(x) + at] = '#';
  return rows.map((row) => row.join(''));
}

describe('a QR code', () => {
  const { size, path } = qrCode(ADDRESS);
  const rows = drawn(path, size);

  it('draws every module, and no other', () => {
    const code = generate(ADDRESS, { minCorrectionLevel: correction.M });
    const wanted = Array.from({ length: size }, (_, y) =>
      Array.from({ length: size }, (_, x) => (code.get(x, y) ? '#' : ' ')).join(''),
    );
    expect(rows).toEqual(wanted);
    expect(path.replace(/M\d+ \d+h\d+v1H\d+z/g, '')).toBe('');
  });

  it('has its three eyes, and none in the fourth corner', () => {
    const eye = ['#######', '#     #', '# ### #', '# ### #', '# ### #', '#     #', '#######'];
    const corner = (x: number, y: number) => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
    expect(corner(0, 0)).toEqual(eye);
    expect(corner(size - 7, 0)).toEqual(eye);
    expect(corner(0, size - 7)).toEqual(eye);
    expect(corner(size - 7, size - 7)).not.toEqual(eye);
  });

  it('stays coarse enough for any camera', () => {
    expect(size).toBeLessThanOrEqual(41);
  });
});
