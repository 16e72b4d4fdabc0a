import { afterEach, expect, it, vi } from 'vitest';
import { ahead, later } from './later';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('comes after the next picture, in the order asked for, and at once where nothing is drawn', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  const done: string[] = [];
  later(() => done.push('first'));
  later(() => done.push('second'));
  vi.advanceTimersByTime(16);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(done).toEqual(['first', 'second']);
  vi.stubGlobal('document', { hidden: true });
  later(() => done.push('unseen'));
  expect(done).toEqual(['first', 'second', 'unseen']);
});

it('keeps the order also where the page is hidden before the picture', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  const done: string[] = [];
  later(() => done.push('seen'));
  vi.stubGlobal('document', { hidden: true });
  later(() => done.push('unseen'));
  vi.advanceTimersByTime(50);
  expect(done).toEqual(['seen', 'unseen']);
});

it('fetches each part in a turn of its own, whether or not another one can be had', () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  const asked: string[] = [];
  const part = (name: string, answer: Promise<unknown>) => () => {
    asked.push(name);
    return answer;
  };
  ahead(part('first', Promise.reject(new Error('offline'))), part('second', Promise.resolve()));
  expect(asked).toEqual([]);
  expect(vi.getTimerCount()).toBe(2);
  vi.advanceTimersByTime(50);
  expect(asked).toEqual(['first', 'second']);
});
