import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { makeDaemon, shareDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../helpers/drive.ts';
import { readJournals } from '../helpers/eventLog.ts';
import { payloads, proveEnd, proveLog, scenario, untilGate } from './support.ts';

const isGate = ({ type }: EventView) => type === 'approval.requested';
const isType = (type: string) => (event: EventView) => event.type === type;
const nobody = () => undefined;

const sharedDaemon = shareDaemon();

/** A run on the shared daemon, or on a new daemon with these variables. */
async function begin(requirements: string, env?: Record<string, string>, extra?: Record<string, unknown>) {
  const daemon = env ? await startDaemon({ env }) : sharedDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, requirements, extra });
  return { daemon, runId };
}

/** The only gate that is open. */
async function openGate(daemon: TestDaemon, runId: string) {
  const [gate, ...more] = await daemon.call('approval.list', { runId, state: 'pending', limit: 10 });
  expect(more).toEqual([]);
  if (!gate) throw new Error('no gate is open');
  return daemon.call('approval.get', { approvalId: gate.id });
}

async function decide(daemon: TestDaemon, runId: string, action: ApprovalDecisionAction, comment?: string) {
  const { id } = await openGate(daemon, runId);
  return daemon.call('approval.decide', { approvalId: id, action, comment, clientToken: randomUUID() });
}

test('reports pipes and links in place of artifacts, and the daemon stops in order', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, requirements: scenario('timeout') });
  const [sent] = payloads(await drive(daemon, runId, { stopAt: isType('prompt.sent') }), 'prompt.sent');
  const path = String(sent?.expectedArtifact);
  // devflow may not have looked for it yet.
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  const events = await drive(daemon, runId, { stopAt: isType('artifact.invalid') });
  expect(payloads(events, 'artifact.invalid')[0]).toMatchObject({
    errors: [{ message: 'this is not a regular file' }],
  });
  const { worktreeRoot } = await daemon.call('run.get', { runId });
  const outside = join(daemon.root, 'outside');
  mkdirSync(outside);
  // In one step, because devflow may write below it at the same time.
  const aside = join(daemon.root, 'aside');
  renameSync(join(worktreeRoot, '.devflow'), aside);
  symlinkSync(outside, join(worktreeRoot, '.devflow'));
  rmSync(aside, { recursive: true });
  const asked = await drive(daemon, runId, { decide: nobody, stopAt: isGate });
  expect(payloads(asked, 'approval.requested')).toMatchObject([{ kind: 'recovery' }]);
  expect(readdirSync(outside)).toEqual([]);
  expect(await daemon.stop()).toMatchObject({ code: 0 });
});

describe('agents', () => {
  test('ok: completes, and the change is one commit on the branch', async () => {
    const daemon = sharedDaemon();
    const repo = daemon.repo();
    const runId = await startRun(daemon, { repo: repo.dir });
    await drive(daemon, runId);
    const { run, report } = await proveEnd(daemon, runId, 'completed');
    expect(run.phases.map(({ key, state, attempts }) => [key, state, attempts])).toEqual([
      ['spec', 'completed', 1],
      ['plan', 'completed', 1],
      ['implement', 'completed', 1],
      ['verify', 'completed', 1],
    ]);
    expect(run.approvals.map(({ gateKey, state }) => [gateKey, state]).sort()).toEqual([
      ['changes_approved', 'approved'],
      ['plan_approved', 'approved'],
      ['spec_approved', 'approved'],
    ]);
    expect(report.unresolved).toMatchObject([{ kind: 'branch_unmerged', subject: run.branch }]);
    expect(repo.git('log', '--format=%s', `main..${run.branch}`)).toBe(
      'The greeting uses the first argument; without one it is as before',
    );
    expect(repo.git('log', '-1', '--format=%(trailers:only,unfold)', `${run.branch}`).trim().split('\n')).toEqual([
      `Devflow-Run: ${runId}`,
      'Devflow-Phase: implement',
      'Devflow-Attempt: 1',
    ]);
  });

  test('invalid-then-ok: one repair prompt is enough', async () => {
    const { daemon, runId } = await begin(scenario('spec=invalid-then-ok'));
    const events = await drive(daemon, runId);
    expect(untilGate(events)).toEqual([
      ...['session.created', 'session.ready', 'prompt.sent', 'artifact.expected', 'session.busy'],
      ...['artifact.invalid', 'session.idle', 'prompt.repaired', 'artifact.expected', 'session.busy'],
      ...['artifact.validated', 'session.idle', 'approval.requested'],
    ]);
    await proveEnd(daemon, runId, 'completed');
  });

  test('invalid: after one repair the run pauses behind a gate; resume is refused, approve tries again', async () => {
    const { daemon, runId } = await begin(scenario('spec=invalid-then-invalid-then-ok'));
    const events = await drive(daemon, runId, { stopAt: isGate });
    expect(untilGate(events).slice(5)).toEqual([
      ...['artifact.invalid', 'session.idle', 'prompt.repaired', 'artifact.expected', 'session.busy'],
      ...['artifact.invalid', 'session.idle', 'approval.requested'],
    ]);
    const gate = await openGate(daemon, runId);
    expect(gate).toMatchObject({ kind: 'recovery', subject: { code: 'artifact_invalid_after_repair' } });
    expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'paused', pausedFrom: 'planning' });
    await expect(daemon.call('run.resume', { runId })).rejects.toMatchObject({
      code: 'gate_pending',
      data: { approvalRequestId: gate.id, currentState: 'paused' },
    });
    await drive(daemon, runId);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(run.phases[0]).toMatchObject({ key: 'spec', attempts: 3 });
    expect(run.assignments[0]).toMatchObject({ phaseKey: 'spec', attempt: 3 });
  });

  test('invalid, and rejected at the recovery gate: the run fails with a report', async () => {
    const { daemon, runId } = await begin(scenario('spec=invalid'));
    await drive(daemon, runId, { decide: () => ({ action: 'reject', comment: 'no use' }) });
    const { events, report } = await proveEnd(daemon, runId, 'failed');
    expect(payloads(events, 'run.failed')).toMatchObject([{ code: 'gate_rejected' }]);
    expect(JSON.stringify(report.unresolved)).toContain('no use');
  });

  test('timeout: resumes twice, bootstraps once, then asks a person', async () => {
    const { daemon, runId } = await begin(scenario('spec=timeout'), { DEVFLOW_ARTIFACT_TIMEOUT_MS: '50' });
    const events = await drive(daemon, runId, { stopAt: isGate });
    expect(payloads(events, 'session.recovered').map(({ how }) => how)).toEqual(['resume', 'resume', 'rebootstrap']);
    expect(payloads(events, 'artifact.timeout')).toHaveLength(4);
    expect(untilGate(events).slice(-3)).toEqual(['artifact.timeout', 'session.failed', 'approval.requested']);
    expect(await openGate(daemon, runId)).toMatchObject({ subject: { code: 'artifact_timeout_exhausted' } });
    expect(await daemon.call('session.list', { runId })).toMatchObject([{ state: 'FAILED_NEEDS_HUMAN' }]);
    await proveLog(daemon, runId);
    await decide(daemon, runId, 'reject');
    const { report } = await proveEnd(daemon, runId, 'failed');
    expect(JSON.stringify(report.unresolved)).toContain('artifact_timeout_exhausted');
  });

  test('crash: every recovery fails, then a person is asked, and approving starts the agent again', async () => {
    const crashes = Array.from({ length: 4 }, () => 'crash').join('-then-');
    const { daemon, runId } = await begin(scenario(`spec=${crashes}-then-ok`));
    const events = await drive(daemon, runId, { stopAt: isGate });
    expect(payloads(events, 'session.crashed')).toHaveLength(4);
    expect(payloads(events, 'session.recovered').map(({ how }) => how)).toEqual(['resume', 'resume', 'rebootstrap']);
    expect(await openGate(daemon, runId)).toMatchObject({ kind: 'recovery', subject: { code: 'session_exhausted' } });
    await drive(daemon, runId);
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(run.phases[0]).toMatchObject({ key: 'spec', attempts: 2 });
  });

  test.each(['crash-then-ok', 'exit-then-ok'])('%s: resumes once and sends the prompt again', async (name) => {
    const { daemon, runId } = await begin(scenario(`plan=${name}`));
    const events = await drive(daemon, runId);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'session.crashed')).toHaveLength(1);
    expect(payloads(events, 'session.recovered')).toMatchObject([{ how: 'resume' }]);
    await proveEnd(daemon, runId, 'completed');
  });

  test('slow: reports its progress and completes', async () => {
    const { daemon, runId } = await begin(scenario('spec=slow'));
    await drive(daemon, runId);
    const { run } = await proveEnd(daemon, runId, 'completed');
    const planner = run.sessions.find(({ roleId }) => roleId === 'planner')?.sessionId ?? '';
    const { chunks } = await daemon.call('session.transcript', { sessionId: planner, afterSeq: 0, limit: 500 });
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_, index) => index + 1));
    expect(chunks.map(({ content }) => content).join('')).toContain('19 of 20');
  });
});

describe('gates', () => {
  test('request_changes at the spec gate: the next prompt has the comment', async () => {
    const { daemon, runId } = await begin('Make it better.');
    const comment = 'Say what happens on a leap day.';
    await drive(daemon, runId, {
      decide: (_asked, nth) => (nth === 1 ? { action: 'request_changes', comment } : { action: 'approve' }),
    });
    const { run, events } = await proveEnd(daemon, runId, 'completed');
    expect(payloads(events, 'phase.started').slice(0, 2)).toMatchObject([
      { attempt: 1, cause: 'first' },
      { attempt: 2, cause: 'changes_requested', changeRequest: comment },
    ]);
    expect(run.phases.map(({ attempts }) => attempts)).toEqual([2, 1, 1, 1]);
    expect(run.sessions).toHaveLength(2);
  });

  test('restores a worktree that is removed while a gate waits', async () => {
    const { daemon, runId } = await begin('Make it better.');
    await drive(daemon, runId, {
      decide: ({ gateKey }) => {
        if (gateKey === 'plan_approved') rmSync(join(daemon.workspaceRoot, runId, 'main'), { recursive: true });
        return { action: 'approve' };
      },
    });
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(readFileSync(join(run.worktreeRoot, 'fake', 'implement-1.md'), 'utf8')).toContain('Make it better.');
  });

  test('request_changes at the diff: implements and verifies again in the same worktree', async () => {
    const { daemon, runId } = await begin('Make it better.', undefined, { verify: [['true']] });
    const comment = 'Name it better.';
    const events = await drive(daemon, runId, {
      decide: ({ gateKey, attempt }) =>
        gateKey === 'changes_approved' && attempt === 1
          ? { action: 'request_changes', comment }
          : { action: 'approve' },
    });
    const { run } = await proveEnd(daemon, runId, 'completed');
    expect(run.phases.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 2]);
    expect(payloads(events, 'command.completed')).toHaveLength(2);
    // The fake writes its instructions into the file that it changes.
    expect(readFileSync(join(run.worktreeRoot, 'fake', 'implement-2.md'), 'utf8')).toContain(comment);
    const journals = await readJournals(daemon.workspaceRoot, runId);
    expect(journals.flat().filter(({ type }) => type === 'started')).toHaveLength(2);
  });

  test.each([
    ['reject', 'failed'],
    ['abort', 'aborted'],
  ] as const)('%s at a gate: the run is %s, with a report', async (action, state) => {
    const { daemon, runId } = await begin('Make it better.');
    await drive(daemon, runId, { decide: () => ({ action, comment: 'Not this way.' }) });
    const { run, report } = await proveEnd(daemon, runId, state);
    expect(run.reason).toContain('Not this way.');
    expect(report.approvals).toMatchObject([{ gateKey: 'spec_approved' }]);
  });

  test('refuses an approval after a change, opens a new gate, and never uses the change unseen', async () => {
    const { daemon, runId } = await begin('Make it better.');
    const until = (gate: string) =>
      drive(daemon, runId, {
        decide: ({ gateKey }) => (gateKey === 'spec_approved' ? { action: 'approve' } : undefined),
        stopAt: (event) => isGate(event) && event.payload.gateKey === gate,
      });
    await until('plan_approved');
    const { artifacts } = await openGate(daemon, runId);
    const [plan] = artifacts;
    writeFileSync(plan?.path ?? '', '{"summary":"another plan","tasks":[]}');
    await decide(daemon, runId, 'approve');
    await until('changes_approved');
    const { worktreeRoot } = await daemon.call('run.get', { runId });
    const copy = join(worktreeRoot, '.devflow', 'artifacts', 'inputs', 'plan', plan?.path.split('/').at(-1) ?? '');
    expect(readFileSync(copy, 'utf8')).toBe(plan?.content);

    writeFileSync(join(worktreeRoot, 'later.txt'), 'nobody saw this\n');
    await expect(decide(daemon, runId, 'approve')).rejects.toMatchObject({
      code: 'changes_under_decision',
    });
    const asked = await openGate(daemon, runId);
    expect(asked).toMatchObject({ gateKey: 'changes_approved', uncommittedFiles: 1 });
    expect(asked.subject.worktree).toMatchObject({ files: ['later.txt'] });
    await decide(daemon, runId, 'approve');
    const { report } = await proveEnd(daemon, runId, 'completed');
    expect(report.unresolved).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'artifact_changed', subject: plan?.path })]),
    );
  });

  test('shows a failed check at the gate, where a person may still approve; a check may not act as one', async () => {
    const failing = ['sh', '-c', 'echo broken >&2; echo x >left.txt; exit 3'];
    const { cliProgram, env: theirs } = sharedDaemon();
    const acting = ['env', `DEVFLOW_HOME=${theirs.DEVFLOW_HOME}`, cliProgram, 'down'];
    const { daemon, runId } = await begin('Make it better.', undefined, { verify: [failing, ['true'], acting] });
    await drive(daemon, runId, { stopAt: (event) => isGate(event) && event.payload.gateKey === 'changes_approved' });
    const gate = await openGate(daemon, runId);
    expect(gate.commands.map(({ argv, exitCode }) => ({ argv, exitCode }))).toEqual([
      { argv: failing, exitCode: 3 },
      { argv: ['true'], exitCode: 0 },
      { argv: acting, exitCode: 1 },
    ]);
    expect(readFileSync(gate.commands[0]?.stderrPath ?? '', 'utf8')).toBe('broken\n');
    expect(readFileSync(gate.commands[2]?.stderrPath ?? '', 'utf8')).toContain('[agent_may_not_decide]');
    expect(gate.diff?.files.map(({ path }) => path)).toEqual(['fake/implement-1.md']);
    expect(gate.uncommittedFiles).toBe(1);
    expect((await daemon.cli(['approval', 'show', gate.id])).stdout).toContain(
      '1 file in the worktree is not committed',
    );
    await drive(daemon, runId);
    const { report } = await proveEnd(daemon, runId, 'completed');
    expect(report.commands).toMatchObject([{ exitCode: 3 }, { exitCode: 0 }, { exitCode: 1 }]);
    expect(report.unresolved).toMatchObject(
      ['command_failed', 'command_failed', 'branch_unmerged', 'uncommitted_files'].map((kind) => ({ kind })),
    );
    const shown = await daemon.call('run.report', { runId });
    expect(shown.markdown).toContain('1 file in the worktree is not committed');
  });

  test('pauses when nobody decides in time, and resume starts the time-out again', async () => {
    const { daemon, runId } = await begin('Make it better.', { DEVFLOW_APPROVAL_TIMEOUT_MS: '50' });
    const pause = isType('run.paused');
    await drive(daemon, runId, { decide: nobody, stopAt: pause });
    expect(await daemon.call('run.get', { runId })).toMatchObject({
      state: 'paused',
      pausedFrom: 'awaiting_approval',
      approvals: [{ state: 'paused' }],
    });
    expect(await daemon.call('run.resume', { runId })).toMatchObject({ changed: true });
    let pauses = 0;
    const again = (event: EventView) => {
      if (pause(event)) pauses += 1;
      return pauses === 2;
    };
    const events = await drive(daemon, runId, { decide: nobody, stopAt: again });
    expect(payloads(events, 'run.resumed')).toMatchObject([{ to: 'awaiting_approval' }]);
    await proveLog(daemon, runId);
    await daemon.call('run.abort', { runId, reason: 'enough' });
    await proveEnd(daemon, runId, 'aborted');
  });
});

describe('a person controls a run', () => {
  const places: [string, string, Record<string, unknown> | undefined, (event: EventView) => boolean, string][] = [
    ['planning', scenario('spec=timeout'), undefined, isType('session.busy'), 'planning'],
    ['executing an agent', scenario('implement=timeout'), undefined, inPhase('implement'), 'executing'],
    ['executing a command', 'x', { verify: [['sleep', '1000']] }, isType('command.started'), 'executing'],
    ['awaiting_approval', 'x', undefined, isGate, 'awaiting_approval'],
    ['paused behind a recovery gate', scenario('spec=invalid'), undefined, recoveryGate, 'paused'],
  ];

  test.each(places)('abort while %s', async (_name, requirements, extra, there, state) => {
    const { daemon, runId } = await begin(requirements, undefined, extra);
    await drive(daemon, runId, { stopAt: there });
    expect(await daemon.call('run.get', { runId })).toMatchObject({ state });
    expect(await daemon.call('run.abort', { runId, reason: 'changed my mind' })).toMatchObject({ state: 'aborted' });
    const { run } = await proveEnd(daemon, runId, 'aborted');
    expect(run.reason).toBe('changed my mind');
    await expect(daemon.call('run.abort', { runId })).rejects.toMatchObject({ code: 'state_conflict' });
  });

  test.each(places.slice(0, 4))('pause and abort while %s', async (_name, requirements, extra, there) => {
    const { daemon, runId } = await begin(requirements, undefined, extra);
    await drive(daemon, runId, { stopAt: there });
    expect(await daemon.call('run.pause', { runId })).toMatchObject({ state: 'paused', changed: true });
    await expect(daemon.call('run.pause', { runId })).rejects.toMatchObject({ code: 'state_conflict' });
    await daemon.call('run.abort', { runId, reason: 'changed my mind' });
    await proveEnd(daemon, runId, 'aborted');
  });

  const slowDaemon = shareDaemon({ env: { DEVFLOW_FAKE_DELAY_MS: '20' } });
  // It ends only after the pause and the resume.
  const waitsForGo = ['sh', '-c', 'while [ ! -e go ]; do sleep 0.05; done'];

  test.each([
    ['planning', scenario('spec=slow'), undefined, isType('session.busy'), 'planning'],
    ['executing an agent', scenario('implement=slow'), undefined, inPhase('implement'), 'executing'],
    ['executing a command', 'x', { verify: [waitsForGo] }, isType('command.started'), 'executing'],
    ['awaiting_approval', 'x', undefined, isGate, 'awaiting_approval'],
  ] as const)('pause while %s, restart, resume, and on to the end', async (_n, requirements, extra, there, state) => {
    const daemon = slowDaemon();
    const runId = await startRun(daemon, { repo: daemon.repo().dir, requirements, extra });
    await drive(daemon, runId, { stopAt: there });
    await daemon.call('run.pause', { runId });
    expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'paused', pausedFrom: state });
    if (state === 'awaiting_approval') {
      await expect(decide(daemon, runId, 'approve')).rejects.toMatchObject({ code: 'state_conflict' });
    }
    await daemon.restart();
    expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'paused', pausedFrom: state });
    expect(await daemon.call('run.resume', { runId })).toMatchObject({ state, changed: true });
    await expect(daemon.call('run.resume', { runId })).rejects.toMatchObject({ code: 'state_conflict' });
    if (extra) writeFileSync(join((await daemon.call('run.get', { runId })).worktreeRoot, 'go'), '');
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  });
});

test('runs a template of the user with two agents in one role', async () => {
  const daemon = await makeDaemon();
  const dir = join(daemon.env.DEVFLOW_HOME ?? '', 'templates');
  mkdirSync(dir);
  writeFileSync(
    join(dir, 'duo@1.yaml'),
    `name: duo
version: 1
roles:
  - { id: writer, requiredCapabilities: [spec_write], preferredBackends: [fake], count: 2 }
phases:
  - key: spec
    title: Two specifications
    risk: low
    roles: [writer]
    expectedArtifact: { path: spec.json, schema: dev/spec@1 }
    gates: [spec_approved]
    instructions: "{{requirements}}"
`,
  );
  await daemon.start();
  const asked: Asked[] = [];
  const backend = { writer: 'fake' } as const;
  const runId = await startRun(daemon, { repo: daemon.repo().dir, template: 'duo', backend });
  await drive(daemon, runId, {
    decide(gate) {
      asked.push(gate);
      return { action: 'approve' };
    },
  });
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(run.sessions.map(({ roleId }) => roleId).sort()).toEqual(['writer#0', 'writer#1']);
  expect(asked[0]?.subject.artifacts).toMatchObject([{ roleId: 'writer#0' }, { roleId: 'writer#1' }]);
  expect(run.artifacts).toHaveLength(2);
});

function inPhase(key: string) {
  return (event: EventView) => event.type === 'prompt.sent' && JSON.stringify(event.payload).includes(`/${key}/`);
}

function recoveryGate(event: EventView): boolean {
  return isGate(event) && event.payload.kind === 'recovery';
}
