import { describe, expect, it } from 'vitest';
import { TurnCaller } from './turn';

const asked = (deadline: number | null = 60_000) => ({ asked: true, deadline });
const waiting = { asked: false, deadline: null };

describe('the caller', () => {
  it('calls when the turn comes, and not again for the moves within it', () => {
    const caller = new TurnCaller();
    expect(caller.look(waiting, 1_000)).toBeNull();
    expect(caller.look(asked(), 1_000)).toBe('turn');
    expect(caller.look(asked(), 1_250)).toBeNull();
    expect(caller.look(asked(), 2_000)).toBeNull();
    expect(caller.look(waiting, 3_000)).toBeNull();
    expect(caller.look(asked(), 4_000)).toBe('turn');
  });

  it('warns once in the last ten seconds, and again when the clock was set anew', () => {
    const caller = new TurnCaller();
    caller.look(asked(), 1_000);
    expect(caller.look(asked(), 49_999)).toBeNull();
    expect(caller.look(asked(), 50_000)).toBe('soon');
    expect(caller.look(asked(), 51_000)).toBeNull();
    expect(caller.look(asked(90_000), 52_000)).toBeNull();
    expect(caller.look(asked(90_000), 81_000)).toBe('soon');
  });

  it('does not warn without a clock, before the time is known, or when it is over', () => {
    const caller = new TurnCaller();
    caller.look(asked(null), 1_000);
    expect(caller.look(asked(null), 900_000)).toBeNull();
    expect(caller.look(asked(5_000), 0)).toBeNull();
    expect(caller.look(asked(5_000), 5_000)).toBeNull();
  });
});
