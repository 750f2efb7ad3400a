import { expect, test } from 'vitest';
import { action } from '../../../cli/commands/run/start.ts';
import { RUN } from '../../../cli/define/run.ts';
import { waitLimit } from '../../../cli/input/parse.ts';
import { waitTimedOut } from '../../../cli/run/waitForRun.ts';
import { fakeIo } from '../fakeIo.ts';
import { givenTo } from '../givenTo.ts';

const limit = { text: '30m', ms: 1_800_000 };
const RUN_ID = '3f9a0b1c-0000-4000-8000-000000000000';
const waiting = { waitingFor: 'reviewer#0 (claude) to write a.json', alsoWaitsFor: ['a decision at x'], sessions: [] };

test('the limit is as the person wrote it', () => {
  expect(waitLimit('--timeout', '30m')).toEqual(limit);
});

test('a run that has not ended in time says what it waits for, and how to go on', () => {
  expect(waitTimedOut(RUN_ID, limit, waiting)).toMatchObject({
    code: 'wait_timeout',
    message: 'run 3f9a0b1c has not ended after 30m. It waits for reviewer#0 (claude) to write a.json; a decision at x',
    recoveryHint:
      'The run goes on. See why it waits with devflow run show 3f9a0b1c, or end it with devflow run abort 3f9a0b1c.',
    data: { runId: RUN_ID, waitsFor: ['reviewer#0 (claude) to write a.json', 'a decision at x'] },
  });
});

test('a stalled agent is named by its pane', () => {
  const stall = { cause: 'login' as const, detail: '', until: null, since: '2026-01-01T00:00:00.000Z' };
  const sessions = [
    { sessionId: '11111111-0000-4000-8000-000000000000', stall: null },
    { sessionId: '22222222-0000-4000-8000-000000000000', stall },
  ];
  const { recoveryHint } = waitTimedOut(RUN_ID, limit, { waitingFor: null, alsoWaitsFor: [], sessions });
  expect(recoveryHint).toContain('with devflow attach 22222222,');
});

test('a run that was never seen, or waits for nobody, is named without a reason', () => {
  expect(waitTimedOut(RUN_ID, limit, undefined).message).toBe('run 3f9a0b1c has not ended after 30m');
});

test('run start takes --timeout only with --wait', async () => {
  const { params, own } = await givenTo(RUN.start, '--template', 'development', '--timeout', '30m');
  const starting = action(params, own, fakeIo(), 'run start');
  await expect(starting).rejects.toMatchObject({ code: 'usage', message: '--timeout needs --wait' });
});
