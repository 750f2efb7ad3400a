import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { UNKNOWN_RUN } from '../../../../daemon/engine/temporal/plan.ts';
import { createUnattended, worksAnew } from '../../../../daemon/engine/temporal/unattended.ts';
import { viewOf } from '../../../../daemon/engine/temporal/view.ts';
import { abort, firstPhaseDone, given as givenRun } from '../../core/support/given.ts';
import { newRun } from '../../core/support/run.ts';

const SILENT_MS = 20_000;
const NOW = new Date('2026-01-01T00:00:00.000Z');

/** A run without a host: it began before there were several. */
function given(
  run = newRun({ template: 'withoutGate' }).run,
  { now = NOW, hasWorkedMs = SILENT_MS, isLeft = true } = {},
) {
  const recorded: Outcome[] = [];
  const unattended = createUnattended({
    runs: {
      catchUp: async (runId) => (runId === run.id ? run : undefined),
      async record(_runId, outcome) {
        recorded.push(outcome);
        return run;
      },
    },
    viewOf: (each: Run) => viewOf(each, 'q', NOW),
    here: { id: 'near', shared: true, unpinned: 'first' },
    silentHostMs: SILENT_MS,
    hasWorkedMs: () => hasWorkedMs,
    listUnfinished: async () => (isLeft ? [run.id] : []),
    clock: { now: () => now },
  });
  return { run, recorded, unattended };
}

test('says which host takes no work, also of a run that names none', async () => {
  const { run, recorded, unattended } = given();
  expect(run.host).toBeNull();
  expect(await unattended.silent(run.id, 'a key')).toEqual(viewOf(run, 'q', NOW));
  const error = { code: 'host_unreachable', message: 'The host first takes no work.' };
  expect(recorded).toEqual([{ type: 'effectFailed', key: 'a key', error: expect.objectContaining(error) }]);
});

test('does not count silence from before this daemon took work', async () => {
  const { run, recorded, unattended } = given(undefined, { hasWorkedMs: SILENT_MS - 1 });
  expect(await unattended.silent(run.id, 'a key')).toEqual(viewOf(run, 'q', NOW));
  expect(recorded).toEqual([]);
});

test.each([
  ['a new namespace', { hasNewNamespace: true, unansweredMs: 0 }, true],
  ['a missed poll', { hasNewNamespace: false, unansweredMs: 10_000 }, false],
  ['a long absence', { hasNewNamespace: false, unansweredMs: 31_000 }, true],
])('counts the silence of hosts anew after %s: %s', (_, there, expected) => {
  expect(worksAnew(there, 300_000)).toBe(expected);
});

test('does not say of itself that it takes no work', async () => {
  const { run, recorded, unattended } = given({ ...newRun({ template: 'withoutGate' }).run, host: 'near' });
  expect(await unattended.silent(run.id, 'a key')).toEqual(viewOf(run, 'q', NOW));
  expect(recorded).toEqual([]);
});

test.each([
  ['leaves the last effects of an ended run to its host', true, ['disposeSessions', 'composeReport']],
  ['ends the workflow of an ended run whose host is forgotten', false, []],
])('%s', async (_, isLeft, wanted) => {
  const { run } = givenRun({ template: 'withoutGate' }, abort);
  const { recorded, unattended } = given(run, { isLeft });
  const view = await unattended.silent(run.id, decide(run)[0]?.key ?? '');
  expect(view.wanted.map(({ type }) => type)).toEqual(wanted);
  expect(view.ended).toBe(true);
  expect(recorded).toEqual([]);
});

test('records no time-out of a gate that is no longer open', async () => {
  const { run, recorded, unattended } = given();
  expect(await unattended.expire(run.id, 'a key')).toEqual(viewOf(run, 'q', NOW));
  expect(recorded).toEqual([]);
});

test('ends the workflow of a run that is not in the log', async () => {
  const { unattended, recorded } = given();
  expect(await unattended.silent('other', 'a key')).toEqual(UNKNOWN_RUN);
  expect(await unattended.expire('other', 'a key')).toEqual(UNKNOWN_RUN);
  expect(recorded).toEqual([]);
});

test.each([
  ['early', -1, []],
  ['in time', 0, ['approvalExpired']],
])("records a time-out by the database's clock: %s", async (_, ms, expected) => {
  const { run } = givenRun({ approvalTimeoutMs: 60_000 }, ...firstPhaseDone);
  const timer = decide(run).find(({ type }) => type === 'expireApproval') as EffectOf<'expireApproval'>;
  const now = new Date(Date.parse(timer.since) + 60_000 + ms);
  const { recorded, unattended } = given(run, { now });
  await unattended.expire(run.id, timer.key);
  expect(recorded.map(({ type }) => type)).toEqual(expected);
});
