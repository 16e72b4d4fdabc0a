import { beforeEach, expect, it } from 'vitest';
import type { Absence } from '../protocol';
import { Deciding } from './deciding.svelte';

const absence = (seat: number, own?: 'claim' | 'bot' | 'wait'): Absence => ({
  seat,
  choices: ['claim', 'bot', 'wait'],
  votes: own ? { 0: own } : {},
});
let deciding: Deciding;
const shown = (...absences: Absence[]) => deciding.shown(absences, 0)?.seat ?? null;

beforeEach(() => (deciding = new Deciding()));

it('asks about each absence until it is answered or put away', () => {
  expect(shown()).toBeNull();
  expect(shown(absence(1), absence(2))).toBe(1);
  expect(shown(absence(1, 'wait'), absence(2))).toBe(2);
  deciding.close(2);
  expect(shown(absence(1, 'wait'), absence(2))).toBeNull();
});

it('puts one away without bringing another back', () => {
  deciding.close(1);
  deciding.close(2);
  expect(shown(absence(1, 'claim'), absence(2, 'claim'))).toBeNull();
});

it('is opened again by hand, whatever was chosen, and before any other', () => {
  deciding.close(1);
  deciding.open(2);
  expect(shown(absence(1, 'claim'), absence(2, 'wait'))).toBe(2);
  deciding.close(2);
  expect(shown(absence(1, 'claim'), absence(2, 'wait'))).toBeNull();
});

it('does not put away what was opened when an answer about another comes late', () => {
  deciding.open(2);
  deciding.close(1);
  expect(shown(absence(2, 'wait'))).toBe(2);
});

it('asks anew when somebody is away again', () => {
  deciding.close(1);
  deciding.open(2);
  deciding.follow([]);
  expect(shown(absence(1), absence(2, 'wait'))).toBe(1);
});
