import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../daemon/system/faults.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { shareDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type DriveOptions, drive, ended, startRun } from '../helpers/drive.ts';
import { killAtPoints } from './killing.ts';
import { requirementsFor } from './plannedTasks.ts';

const ROLES = ['planner', 'implementer', 'resolver', 'reviewer', 'verifier'];
const backendOf = (roles: readonly string[]) => Object.fromEntries(roles.map((role) => [role, 'fake' as const]));
/** What the fake implementer writes. */
const FILE = 'fake/implement-1.md';

async function startReviewed(daemon: TestDaemon, words: readonly string[], verify: string[][] = []) {
  const repo = daemon.repo();
  const requirements = ['Make it better.', ...words].join('\n');
  const backend = backendOf(['implementer', 'reviewer', 'verifier']);
  const request = { template: 'quick-change@2', requirements, backend, extra: { verify } };
  return { repo, runId: await startRun(daemon, { repo: repo.dir, ...request }) };
}

async function reviewed(
  daemon: TestDaemon,
  words: readonly string[],
  options: DriveOptions & { verify?: string[][] } = {},
) {
  const { repo, runId } = await startReviewed(daemon, words, options.verify);
  const events = await drive(daemon, runId, { patienceMs: 200_000, ...options });
  const { findings } = await daemon.ask('run.findings', { runId });
  return { repo, runId, events, findings, run: await ended(daemon, runId) };
}

/** Goes on until a person is asked. */
const untilAsked = (daemon: TestDaemon, runId: string) =>
  drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.requested' });

const payloads = (events: readonly EventView[], type: string) =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);
const reasons = (events: readonly EventView[]) => payloads(events, 'iteration.started').map(({ reason }) => reason);
const asked = (events: readonly EventView[]) => payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);

const daemon = shareDaemon();

test('a change without defects passes after one look', async () => {
  const { run, events } = await reviewed(daemon(), []);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'iteration.completed')).toMatchObject([{ outcome: 'pass' }]);
  expect(await daemon().ask('run.verify', { runId: run.runId })).toMatchObject({ ok: true, differences: [] });
});

test('a confirmed defect is fixed, looked at again, and found fixed', async () => {
  const { events, findings, repo, runId } = await reviewed(daemon(), [`Finds: high ${FILE}:1 The title is wrong`]);
  expect(reasons(events)).toEqual(['full', 'delta', 'closing']);
  expect(findings).toMatchObject([
    { state: 'fixed', path: FILE, line: 1, verifierStatus: 'confirmed', isAnchored: true },
  ]);
  expect(findings[0]?.history.map(({ what }) => what)).toEqual(['reported', 'confirmed', 'answered', 'fixed']);
  const id = findings[0]?.findingId.slice(0, 8);
  expect(repo.git('show', `devflow/${runId}/main:${FILE}`)).toContain(`fixed ${id}`);
  expect(await daemon().ask('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('a reviewer that echoes an empty list cannot pass', async () => {
  const { runId } = await startReviewed(daemon(), ['Quotes: none']);
  const events = await untilAsked(daemon(), runId);
  expect(asked(events)).toEqual(['recovery']);
  const errors = payloads(events, 'artifact.invalid').flatMap((payload) => payload.errors as { path: string }[]);
  expect(new Set(errors.map(({ path }) => path))).toEqual(new Set(['/coverage']));
  await daemon().ask('run.abort', { runId });
});

test('a wrong quote is repaired like any artifact', async () => {
  const { run, events } = await reviewed(daemon(), ['Quotes: wrong']);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'artifact.invalid')).toHaveLength(1);
});

test('a command of a finding that fails confirms it, and checks that fail are fixed', async () => {
  const words = [`Finds: high ${FILE}:1 The title is wrong`, `Reproduce: grep -q ^fixed ${FILE}`, 'Verdicts: rejected'];
  const { events, findings } = await reviewed(daemon(), words, { verify: [['grep', '-q', '^fixed', FILE]] });
  expect(findings).toMatchObject([{ state: 'fixed', resolution: { by: 'reproduction' } }]);
  expect(payloads(events, 'review.checked').map(({ what }) => what)).toEqual(['reproductions', 'checks', 'checks']);
});

test('a critical finding that nobody can refute with a quote is never dropped', async () => {
  for (const verdicts of ['misquoted', 'unquoted']) {
    const words = [`Finds: critical ${FILE}:1 The title is wrong`, `Verdicts: ${verdicts}`];
    const { runId } = await startReviewed(daemon(), words);
    const events = await untilAsked(daemon(), runId);
    expect(asked(events)).toEqual(['review_dispute']);
    expect((await daemon().ask('run.findings', { runId })).findings).toMatchObject([
      { state: 'disputed', isBlocker: true },
    ]);
    await daemon().ask('run.abort', { runId });
  }
});

test('a person is asked after the second fix in a row that brings new defects', async () => {
  const words = [`Finds: medium ${FILE}:1 The title is wrong`, 'Finds-Defects: yes', `Fixes: adds ${FILE} 2`];
  const { runId } = await startReviewed(daemon(), words);
  const events = await untilAsked(daemon(), runId);
  expect(asked(events)).toEqual(['review_unconverged']);
  expect(reasons(events)).toEqual(['full', 'delta', 'delta']);
  await daemon().ask('run.abort', { runId });
});

test('a fix that moves lines and renames the file keeps the finding, and nothing comes back', async () => {
  const words = [
    `Finds: high ${FILE}:1 The title is wrong`,
    `Finds: low ${FILE}:3 The digest is ugly`,
    'Finds-Closing: low fake/moved.md:43 The digest is ugly',
    `Fixes: moves ${FILE} fake/moved.md 40`,
  ];
  const { findings, run } = await reviewed(daemon(), words);
  expect(run.state).toBe('completed');
  expect(findings.map(({ path, line, state, reporters }) => [path, line, state, reporters.length])).toEqual([
    ['fake/moved.md', 41, 'fixed', 1],
    ['fake/moved.md', 43, 'unverified', 2],
  ]);
});

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
