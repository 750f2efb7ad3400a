import { describe, expect, it } from 'vitest';
import { createPace } from '../../../../../daemon/sessions/tmux/output/pace.ts';

/** A pane that prints `bytes` every `everyMs` from `from` until `to`, with a wait after each print. */
function printing(pace: ReturnType<typeof createPace>, from: number, to: number, everyMs: number, bytes = 500) {
  let last: number | undefined;
  for (let now = from; now <= to; now += everyMs) {
    pace.took(bytes);
    last = pace.next(now);
  }
  return last;
}

describe('the pace of a reader', () => {
  it('follows notifications for the first ten seconds', () => {
    const pace = createPace(80, 0);
    expect(printing(pace, 0, 9_900, 100)).toBeUndefined();
    expect(printing(pace, 10_000, 10_100, 100)).toBeGreaterThan(0);
  });

  it('never waits longer than its time, and wakes with all others', () => {
    const [state, transcript] = [createPace(80, 0), createPace(240, 3)];
    printing(state, 0, 10_000, 100);
    printing(transcript, 3, 10_003, 100);
    for (let now = 10_004.3; now < 10_400; now += 7.9) {
      const wait = state.next(now) ?? Number.NaN;
      expect(wait).toBeGreaterThanOrEqual(5);
      expect(wait).toBeLessThanOrEqual(85);
      expect((now + wait) % 80).toBeLessThan(1);
      expect((now + (transcript.next(now) ?? Number.NaN)) % 240).toBeLessThan(1);
    }
  });

  it('follows notifications again after a pause', () => {
    const pace = createPace(80, 0);
    printing(pace, 0, 11_000, 100);
    expect(pace.next(11_400)).toBeGreaterThan(0);
    expect(pace.next(11_501)).toBeUndefined();
    expect(printing(pace, 11_600, 12_000, 100)).toBeUndefined();
  });

  it('follows notifications while much is printed', () => {
    const pace = createPace(80, 0);
    expect(printing(pace, 0, 20_000, 100, 20_000)).toBeUndefined();
    expect(printing(pace, 20_100, 29_900, 100)).toBeUndefined();
    expect(printing(pace, 30_000, 30_100, 100)).toBeGreaterThan(0);
    pace.took(20_000);
    expect(pace.next(30_200)).toBeUndefined();
  });
});
