import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChanges, type Look } from '../../../../../daemon/sessions/tmux/observe/changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Waits while `looks` says how each look turns out; the last one for ever. */
function waiting(looks: Look<string>[], signal?: AbortSignal) {
  const changes = createChanges();
  const look = vi.fn(() => (looks.length > 1 ? looks.shift() : looks[0]) as Look<string>);
  let outcome: string | undefined | symbol = PENDING;
  changes.until(look, { timeoutMs: 1000, ...(signal ? { signal } : {}) }).then(
    (found) => {
      outcome = found;
    },
    (error) => {
      outcome = String(error);
    },
  );
  return { changes, look, outcome: () => outcome };
}
const PENDING = Symbol('pending');

describe('waiting for a change', () => {
  it('ends with an answer, and looks only after a change', async () => {
    const { changes, look, outcome } = waiting([{}, { done: 'here' }]);
    await vi.advanceTimersByTimeAsync(900);
    expect(look).toHaveBeenCalledTimes(1);
    changes.notify();
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome()).toBe('here');
  });

  it('ends without an answer after the time-out', async () => {
    const { outcome } = waiting([{}]);
    await vi.advanceTimersByTimeAsync(999);
    expect(outcome()).toBe(PENDING);
    await vi.advanceTimersByTimeAsync(2);
    expect(outcome()).toBeUndefined();
  });

  it('stops the time-out while it is unlimited', async () => {
    const looks: Look<string>[] = [{}, { unlimited: true }, {}];
    const { changes, outcome } = waiting(looks);
    await vi.advanceTimersByTimeAsync(600);
    changes.notify();
    await vi.advanceTimersByTimeAsync(1e9);
    changes.notify();
    await vi.advanceTimersByTimeAsync(399);
    expect(outcome()).toBe(PENDING);
    await vi.advanceTimersByTimeAsync(2);
    expect(outcome()).toBeUndefined();
  });

  it('looks again at the requested time', async () => {
    const { look } = waiting([{ againMs: 50, unlimited: true }]);
    await vi.advanceTimersByTimeAsync(101);
    expect(look).toHaveBeenCalledTimes(3);
  });

  it('is aborted, also while it is unlimited', async () => {
    const ending = new AbortController();
    const { outcome } = waiting([{ unlimited: true }], ending.signal);
    ending.abort(new Error('let go'));
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome()).toBe('Error: let go');
  });

  it('notifies listeners until they stop', () => {
    const changes = createChanges();
    const listener = vi.fn();
    const stop = changes.listen(listener);
    changes.notify();
    stop();
    changes.notify();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
