import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Frame } from '../protocol';
import { frame, seat } from './fixtures';
import { Voices } from './voices.svelte';

let voices: Voices;
const says = (at: number, phrase: number) => voices.hear({ t: 'said', table: '0abc', seat: at, phrase });
const seated = (name: string, more: Partial<Frame> = {}, kind: 'person' | 'empty' = 'person') =>
  frame({ view: { ...frame().view, seats: [seat('Yusuf'), seat(name, { kind })] }, ...more });

beforeEach(() => {
  vi.useFakeTimers();
  voices = new Voices();
});
afterEach(() => {
  voices.close();
  vi.useRealTimers();
});

it('shows a phrase for a moment; a new one starts the moment anew', () => {
  says(1, 2);
  vi.advanceTimersByTime(4_000);
  says(1, 3);
  vi.advanceTimersByTime(4_000);
  expect(voices.bubbles).toEqual({ 1: 3 });
  vi.advanceTimersByTime(2_000);
  expect(voices.bubbles).toEqual({});
});

it('hears nobody who is muted, and takes away what they were saying', () => {
  says(1, 2);
  voices.mute(1, 'West');
  expect(voices.bubbles).toEqual({});
  expect(says(1, 3)).toBe(false);
  expect(says(2, 3)).toBe(true);
  voices.unmute(1);
  expect(says(1, 3)).toBe(true);
});

it('mutes a person, whatever the name, but not whoever sits there next', () => {
  voices.mute(1, 'West');
  voices.follow(seated('East', { events: [{ e: 'renamed', seat: 1, name: 'East' }] }));
  expect(voices.muted).toEqual({ 1: 'East' });
  voices.follow(seated('East'));
  expect(voices.muted).toEqual({ 1: 'East' });
  voices.follow(seated('', {}, 'empty'));
  expect(voices.muted).toEqual({});
  voices.mute(1, 'East');
  voices.follow(seated('North'));
  expect(voices.muted).toEqual({});
});
