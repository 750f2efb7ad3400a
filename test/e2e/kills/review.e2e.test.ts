import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive, ended, startRun } from '../../helpers/drive.ts';
import { requirementsFor } from '../plannedTasks.ts';
import { asked, backendOf, FILE, reasons, startReviewed } from '../reviewRuns.ts';
import { payloads } from '../support.ts';
import { killAtPoints } from './killing.ts';

const ROLES = ['planner', 'implementer', 'resolver', 'reviewer', 'verifier'];

function expectNothingTwice(events: readonly EventView[]): void {
  const sent = payloads(events, 'prompt.sent').map(({ dedupKey }) => dedupKey);
  expect(new Set(sent).size).toBe(sent.length);
}

/** Where a performer of a review has acted and nothing is recorded yet. */
const OF_REVIEWS: readonly CrashPoint[] = [
  'awaitArtifact.stored',
  'prepareReview.placed',
  'prepareReview.read',
  'commitWork.after_commit',
  'composeReport.after_write',
];

test('a kill at each crash point of a review changes nothing, and sends nothing twice', async () => {
  const daemon = await startDaemon();
  const killing = await killAtPoints(daemon, OF_REVIEWS);
  const { runId } = await startReviewed(daemon, [`Finds: high ${FILE}:1 The title is wrong`], [['true']]);
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  await ended(daemon, runId);
  const { deaths, unvisited } = await killing.stop();
  expect([unvisited, deaths > 2 * OF_REVIEWS.length]).toEqual([[], true]);
  expect(reasons(events)).toEqual(['full', 'delta', 'closing']);
  expectNothingTwice(events);
  expect((await daemon.ask('run.findings', { runId })).findings).toMatchObject([{ state: 'fixed' }]);
  expect(await daemon.ask('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
  expect(readdirSync(join(daemon.workspaceRoot, runId, 'lanes'))).toEqual([]);
  const { removed } = await daemon.ask('run.cleanup', { runId });
  expect(removed.map(({ branch }) => branch)).toEqual([`devflow/${runId}/main`, null]);
  for (const { path } of removed) expect(existsSync(path)).toBe(false);
});

/** When the daemon dies: as each phase begins, and between the steps of its agents. */
const KILLED_AT = {
  spec: ['phase.started', 'prompt.sent'],
  plan: ['phase.started', 'artifact.validated'],
  implement: ['phase.started', 'lane.opened', 'prompt.sent', 'merge.tested'],
  review: [
    ...['phase.started', 'review.prepared', 'prompt.sent', 'review.batch_recorded', 'review.asked'],
    ...['review.verdict_recorded', 'review.fix_committed', 'finding.fixed'],
  ],
  verify: ['phase.started', 'command.completed'],
};

test('development@2 goes from requirements through lanes and review to an approved change, killed in each phase', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  // One reviewer alone finds it, so that a verifier is asked.
  const finds = ['Finds: reviewer#0=high src/a.txt:1 One is wrong'];
  const requirements = requirementsFor([{ id: 'A' }, { id: 'B' }], finds);
  const request = { template: 'development@2', requirements, backend: backendOf(ROLES), extra: { verify: [['true']] } };
  const runId = await startRun(daemon, { repo: repo.dir, ...request });
  const { phases } = await daemon.ask('run.get', { runId });
  for (const [key, types] of Object.entries(KILLED_AT)) {
    const phase = phases.find((each) => each.key === key);
    for (const type of types) {
      const isHere = (event: EventView) => event.type === type && event.phaseId === phase?.phaseId;
      const before = await drive(daemon, runId, { stopAt: isHere, patienceMs: 200_000 });
      expect([key, before.at(-1)?.type]).toEqual([key, type]);
      await daemon.kill('SIGKILL');
      await daemon.start();
    }
  }
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  expectNothingTwice(events);
  expect((await ended(daemon, runId)).state).toBe('completed');
  expect(asked(events)).toEqual(['spec_approved', 'plan_approved', 'changes_approved']);
  expect(reasons(events)).toEqual(['full', 'delta', 'closing']);
  const { findings } = await daemon.ask('run.findings', { runId });
  expect(findings.map(({ state, reporters }) => [state, reporters.map(({ roleId }) => roleId)])).toEqual([
    ['fixed', ['reviewer#0']],
  ]);
  expect(await daemon.ask('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});
