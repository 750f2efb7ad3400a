import { expect, test } from 'vitest';
import type { RunDetail } from '../../../../schemas/rpc/views/run.ts';
import { defaultSession } from '../../../../tui/screens/run/shownRun.ts';

const chosen = (...states: string[]) => {
  const sessions = states.map((state, nth) => ({ sessionId: `s${nth + 1}`, state, stall: null }));
  return defaultSession({ sessions } as unknown as RunDetail)?.sessionId;
};

test('prefers a session that has not ended', () => {
  expect(chosen('READY', 'READY', 'ENDED')).toBe('s2');
  expect(chosen('BUSY', 'READY', 'ENDED')).toBe('s1');
  expect(chosen('ENDED', 'ENDED')).toBe('s2');
  expect(chosen()).toBeUndefined();
});
