import { expect, test } from 'vitest';
import { action } from '../../../cli/commands/run.start.ts';
import { waitLimit } from '../../../cli/input/parseDuration.ts';
import { waitTimedOut } from '../../../cli/run/waitTimeout.ts';
import { fakeIo } from '../fakeIo.ts';

const limit = { text: '30m', ms: 1_800_000 };
const RUN = '3f9a0b1c-0000-4000-8000-000000000000';
const waiting = { waitingFor: 'reviewer#0 (claude) to write a.json', alsoWaitsFor: ['a decision at x'], sessions: [] };

test('without --timeout there is no limit', () => {
  expect([waitLimit(undefined), waitLimit('30m')]).toEqual([undefined, limit]);
});

test('a run that has not ended in time says what it waits for, and how to go on', () => {
  expect(waitTimedOut(RUN, limit, waiting)).toMatchObject({
    code: 'wait_timeout',
    message: 'run 3f9a0b1c has not ended after 30m. It waits for reviewer#0 (claude) to write a.json; a decision at x',
    recoveryHint:
      'The run goes on. See why it waits with devflow run show 3f9a0b1c, or end it with devflow run abort 3f9a0b1c.',
    data: { runId: RUN, waitsFor: ['reviewer#0 (claude) to write a.json', 'a decision at x'] },
  });
});

test('a stalled agent is named by its pane', () => {
  const stall = { cause: 'login' as const, detail: '', until: null, since: '2026-01-01T00:00:00.000Z' };
  const sessions = [
    { sessionId: '11111111-0000-4000-8000-000000000000', stall: null },
    { sessionId: '22222222-0000-4000-8000-000000000000', stall },
  ];
  const { recoveryHint } = waitTimedOut(RUN, limit, { waitingFor: null, alsoWaitsFor: [], sessions });
  expect(recoveryHint).toContain('with devflow attach 22222222,');
});

test('a run that was never seen, or waits for nobody, is named without a reason', () => {
  expect(waitTimedOut(RUN, limit, undefined).message).toBe('run 3f9a0b1c has not ended after 30m');
});

test('run start takes --timeout only with --wait', async () => {
  const starting = action([], { template: 'development', timeout: '30m' }, fakeIo(), 'run start');
  await expect(starting).rejects.toMatchObject({ code: 'usage', message: '--timeout needs --wait' });
});
