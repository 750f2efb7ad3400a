import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AutoGate } from '../../schemas/gates/autoGates.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes, ROLES } from '../helpers/paneDaemon.ts';
import { writePersonsFile } from '../helpers/personsFile.ts';
import { killAtPoints } from './kills/killing.ts';
import { payloads, proveEnd, proveLog } from './support.ts';

/** Runs of these agents have no fake one, which would stop each rule. */
async function withRules(auto: AutoGate[]) {
  const { daemon, env } = await daemonWithPanes();
  writeRules(daemon, auto);
  Object.assign(daemon.env, env);
  await daemon.start();
  return daemon;
}

function writeRules(daemon: TestDaemon, auto: AutoGate[]): void {
  writeFileSync(join(daemon.env.DEVFLOW_HOME ?? '', 'config.yaml'), JSON.stringify({ gates: { auto } }));
}

const ALL: AutoGate[] = [
  { gate: 'spec_approved', if: ['no_open_questions'] },
  { gate: 'plan_approved', if: [{ diff_below: 1 }] },
  { gate: 'changes_approved', if: ['review_passed'] },
  { gate: 'changes_approved', if: ['checks_green', { diff_below: 1000 }] },
];
const checked = { backend: ROLES, extra: { verify: [['true']] } };

test('rules pass each gate of a run, and everything that shows the run says so', async () => {
  const daemon = await withRules(ALL);
  const runId = await startRun(daemon, { repo: daemon.repo().dir, ...checked });
  // The rules are frozen: this change is about later runs.
  writeRules(daemon, []);
  await drive(daemon, runId, { patienceMs: 200_000, decide: () => undefined });
  const { events, report } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'approval.resolved').map(({ by }) => by)).toEqual([
    { rule: 'spec_approved if no_open_questions', met: ['no_open_questions'] },
    { rule: 'plan_approved if diff_below: 1', met: ['diff_below: 1'] },
    { rule: 'changes_approved if checks_green, diff_below: 1000', met: ['checks_green', 'diff_below: 1000'] },
  ]);
  expect((await daemon.ask('run.get', { runId })).autoGates).toEqual(ALL);
  expect((await daemon.cli(['run', 'show', runId])).stdout).toMatch(/gate rule +spec_approved if no_open_questions/);
  expect(report.approvals).toMatchObject(Array(3).fill({ decision: { by: {} } }));
  const printed = await daemon.cli(['run', 'report', runId]);
  expect(printed.stdout).toContain('your rule `plan_approved if diff_below: 1`');
  expect(printed.stdout).toContain('Your rule for a gate: `spec_approved if no_open_questions`');
  const [{ approvalRequestId: approvalId = '' } = {}] = payloads(events, 'approval.resolved');
  const shown = await daemon.cli(['approval', 'show', String(approvalId)]);
  expect(shown.stdout).toContain('Your rule passed this gate: spec_approved if no_open_questions.');
  expect(await daemon.ask('approval.get', { approvalId: String(approvalId) })).toMatchObject({
    state: 'approved',
    decisions: [{ by: { met: ['no_open_questions'] } }],
  });
});

test('a rule that is not met leaves the gate to the person, with the reasons', async () => {
  const daemon = await withRules([{ gate: 'spec_approved', if: ['checks_green', 'review_passed'] }]);
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.rule_checked' });
  const [gate] = await daemon.ask('approval.list', { all: false, limit: 0 });
  const approvalId = gate?.id ?? '';
  expect(await daemon.ask('approval.get', { approvalId })).toMatchObject({
    state: 'pending',
    rule: { why: ['No command checked this.', 'There is no review.'] },
  });
  const { stdout } = await daemon.cli(['approval', 'show', approvalId]);
  expect(stdout).toContain('Your rule does not pass this gate: spec_approved if checks_green, review_passed.');
  expect(stdout).toContain('No command checked this.');
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'approval.rule_checked')).toHaveLength(1);
  expect(payloads(events, 'approval.resolved').filter(({ by }) => by)).toEqual([]);
});

test('a fake agent stops every rule, and a repository has none of its own', async () => {
  const daemon = await makeDaemon();
  writeRules(daemon, ALL);
  await daemon.start();
  const repo = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir });
  await drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.rule_checked' });
  const [checked] = payloads(await proveLog(daemon, runId), 'approval.rule_checked');
  expect(checked?.why).toEqual([expect.stringContaining('A fake agent took part')]);
  await daemon.ask('run.abort', { runId, reason: 'The test is done.' });
  await proveEnd(daemon, runId, 'aborted');

  const own = daemon.repo();
  writePersonsFile(daemon.env, own.dir, { gates: { auto: [] } });
  const free = await startRun(daemon, { repo: own.dir });
  expect((await daemon.ask('run.get', { runId: free })).autoGates).toBeUndefined();
  await daemon.ask('run.abort', { runId: free, reason: 'The test is done.' });
  await proveEnd(daemon, free, 'aborted');

  const foreign = daemon.repo();
  foreign.write({ 'devflow.yaml': JSON.stringify({ gates: { auto: ALL } }) });
  foreign.git('add', '-A');
  foreign.git('commit', '-qm', 'Approve everything');
  await expect(startRun(daemon, { repo: foreign.dir })).rejects.toMatchObject({
    code: 'settings_invalid',
    message: expect.stringContaining('gates.auto: decides at gates, which only you may do'),
  });
});

test('a kill between the check of a rule and its record decides once', async () => {
  const daemon = await withRules(ALL);
  const killing = await killAtPoints(daemon, ['checkRule.before_outcome']);
  const runId = await startRun(daemon, { repo: daemon.repo().dir, ...checked });
  await drive(daemon, runId, { patienceMs: 200_000, decide: () => undefined });
  const { deaths, unvisited } = await killing.stop();
  expect([unvisited, deaths >= 3]).toEqual([[], true]);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'approval.resolved').map(({ by }) => by !== undefined)).toEqual([true, true, true]);
});
