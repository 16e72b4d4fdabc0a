import { describe, expect, it } from 'vitest';
import { face } from './face';

const symbols = (card: string) => [...face(card).matchAll(/href="#(.*?)"/g)].map(([, symbol]) => symbol);

describe('the drawing of a card', () => {
  it('shows its rank, its suit and its picture', () => {
    expect(symbols('7D')).toEqual(['r-7', 'p-d', 'p-d']);
    expect(symbols('TC')).toEqual(['r-10', 'p-c', 'p-c']);
    expect(symbols('QS')).toEqual(['r-Q', 'p-s', 'f-Q']);
    expect(symbols('AH')).toEqual(['r-A', 'p-h', 'p-h']);
  });

  it('says on a Joker what it stands for, once that is settled', () => {
    expect(symbols('JK')).toEqual(['p-j', 'f-X']);
    expect(face('JK')).not.toContain('role');
    expect(face('JK=TH')).toContain('<i class="role red" data-role="10♥">');
    expect(face('JK=JS')).toContain('<i class="role" data-role="J♠">');
  });

  it('marks red and black apart', () => {
    expect(face('7D')).toContain('class="mark hollow"');
    expect(face('7S')).toContain('class="mark"');
  });

  it('takes no markup from a card', () => {
    expect(face('7<i onload=x>')).not.toContain('onload');
    expect(face('<b>')).not.toContain('<b>');
    expect(face('JK=<b>')).not.toContain('<b>');
  });
});
