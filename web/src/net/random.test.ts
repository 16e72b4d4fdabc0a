import { afterEach, describe, expect, it, vi } from 'vitest';

async function pageOpened(): Promise<() => string> {
  vi.resetModules();
  return (await import('./random')).freshId;
}

afterEach(() => vi.resetModules());

describe('ids of commands', () => {
  it('are not given twice, by one page or by the next', async () => {
    const ids: string[] = [];
    for (let opened = 0; opened < 3; opened++) {
      const freshId = await pageOpened();
      for (let count = 0; count < 1000; count++) ids.push(freshId());
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are short, and letters that JSON need not escape', async () => {
    const freshId = await pageOpened();
    for (let count = 0; count < 2000; count++) expect(freshId()).toMatch(/^[A-Za-z0-9+/]{9,11}$/);
  });
});
