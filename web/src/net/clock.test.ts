import { expect, it } from 'vitest';
import { Clock } from './clock';

function clockAt(start: number) {
  const at = { local: start };
  return { at, clock: new Clock(() => at.local) };
}

it('knows nothing before it was told', () => {
  expect(clockAt(5).clock.now()).toBe(0);
});

it('takes the middle of a round trip', () => {
  const { at, clock } = clockAt(1_000);
  at.local = 1_100;
  clock.answered(50_000, 1_000);
  expect(clock.now()).toBe(50_050);
  at.local = 2_100;
  expect(clock.now()).toBe(51_050);
});

it('trusts a quick trip more than a slow one', () => {
  const { at, clock } = clockAt(1_020);
  clock.answered(50_000, 1_000);
  at.local = 3_000;
  clock.answered(50_000, 2_000);
  expect(clock.now()).toBe(50_010 + 1_980);
});

it('is never behind a message that has arrived', () => {
  const { clock } = clockAt(0);
  clock.told(10_000);
  clock.told(10_300);
  expect(clock.now()).toBe(10_300);
  clock.told(10_100);
  expect(clock.now()).toBe(10_300);
});

it('starts anew when its own time stood still', () => {
  const { clock } = clockAt(0);
  clock.told(60_000);
  clock.told(30_000);
  expect(clock.now()).toBe(30_000);
});
