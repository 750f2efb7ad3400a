import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../daemon/system/faults.ts';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';
import { shareDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type Asked, type DriveOptions, drive, startRun } from '../helpers/drive.ts';
import { killAtPoints, killInEachPhase } from './killing.ts';
import { payloads, proveEnd, scenario } from './support.ts';

const ROLES: Record<string, string[]> = {
  pipeline: ['planner', 'implementer', 'reviewer'],
  'dev-cycle': ['ra', 'ep', 'cd', 'vas'],
  autodev: ['engineer'],
};

async function start(daemon: TestDaemon, template: string, requirements: string, repo = daemon.repo().dir) {
  const name = template.startsWith('autodev-') ? 'autodev' : template;
  const backend = Object.fromEntries((ROLES[name] ?? []).map((role) => [role, 'fake' as const]));
  return startRun(daemon, { repo, template: `${template}@1`, requirements, backend });
}

async function whole(daemon: TestDaemon, template: string, requirements: string, options: DriveOptions = {}) {
  const runId = await start(daemon, template, requirements);
  await drive(daemon, runId, { patienceMs: 200_000, ...options });
  return proveEnd(daemon, runId, 'completed');
}

const keys = (events: readonly EventView[]) => payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);
const skipped = (events: readonly EventView[]) => payloads(events, 'phase.skipped').map(({ evidence }) => evidence);
const sentOnce = (events: readonly EventView[]) => {
  const sent = payloads(events, 'prompt.sent').map(({ dedupKey }) => dedupKey);
  return new Set(sent).size === sent.length;
};
const readIn = (worktree: string, path: string) => readFileSync(join(worktree, path), 'utf8');
const checkOf = (daemon: TestDaemon, repo: string) => daemon.ask('contract.check', { repo });

/** The person's checkout has the end of the run, and devflow's own files keep nothing from the clean-up. */
async function proveDelivered(daemon: TestDaemon, run: RunDetail, look: (repo: string) => Promise<void>) {
  const { runId, repoPath, worktreeRoot } = run;
  expect(await daemon.ask('run.apply', { runId, way: 'auto', dryRun: false })).toMatchObject({
    applied: true,
    notes: [],
  });
  await look(repoPath);
  expect(await daemon.ask('run.cleanup', { runId, force: false })).toMatchObject({ kept: [] });
  expect(existsSync(worktreeRoot)).toBe(false);
}

const daemon = shareDaemon();

test('HC-8.1 HC-8.4 a pipeline mends what its review blocks, and leaves valid handovers', async () => {
  const words = scenario('review=blocks-then-ok', 'plan=invalid-then-ok', 'remediate=remedy');
  const { run, events } = await whole(daemon(), 'pipeline', words);
  expect(keys(events)).toEqual(['brief_approved', 'plan_approved', 'changes_approved']);
  expect(payloads(events, 'iteration.completed')).toMatchObject([{ resolved: false }, { resolved: true }]);
  const [repaired] = payloads(events, 'artifact.invalid') as { errors: { code?: string; line?: number }[] }[];
  expect(repaired?.errors[0]).toMatchObject({ code: expect.stringMatching(/^(PLAN|MANIFEST|FM)_/) });
  const directory = dirname(run.handovers?.find(({ contract }) => contract === 'handover/brief@1')?.path ?? '');
  expect(await checkOf(daemon(), run.worktreeRoot)).toMatchObject({ valid: true });
  expect(JSON.parse(readIn(run.worktreeRoot, `${directory}/progress.json`))).toMatchObject({
    status: 'completed',
    steps: { 1: { status: 'completed', manifest_audit: 'fail' } },
  });
  const plan = run.handovers?.find(({ contract }) => contract === 'handover/plan@1');
  expect(plan?.warnings).toContainEqual(expect.objectContaining({ message: expect.stringMatching(/^step 1: /) }));
  const { markdown } = await daemon().ask('run.report', { runId: run.runId });
  expect(markdown).toContain('Step 1 of the plan does not keep to its manifest');
  expect(readIn(run.worktreeRoot, `${directory}/plan.md`)).toContain('source_findings');
  expect(run.iterations).toMatchObject([
    { nth: 1, issues: 1 },
    { nth: 2, issues: 0, resolved: true },
  ]);
});

test('HC-8.1 a document that stays invalid is a gate with its findings, and reaches nobody', async () => {
  const runId = await start(daemon(), 'pipeline', scenario('plan=invalid'));
  const isRecovery = ({ type, payload }: EventView) => type === 'approval.requested' && payload.kind === 'recovery';
  const decide = ({ kind }: Asked) => (kind === 'gate' ? { action: 'approve' as const } : undefined);
  const events = await drive(daemon(), runId, { stopAt: isRecovery, decide });
  expect(events.at(-1)?.payload.subject).toMatchObject({
    code: 'artifact_invalid_after_repair',
    findings: expect.arrayContaining([expect.objectContaining({ code: expect.any(String) })]),
  });
  expect(payloads(events, 'artifact.published').map(({ contract }) => contract)).not.toContain('handover/plan@1');
  await daemon().ask('run.abort', { runId });
});

test('HC-8.3 a brief that a person changed is taken after it was checked, or put back', async () => {
  for (const [action, topics] of [
    ['approve', '0'],
    ['request_changes', '1'],
  ] as const) {
    const runId = await start(daemon(), 'pipeline', scenario('review=ok'));
    const worktree = (await daemon().ask('run.get', { runId })).worktreeRoot;
    let path = '';
    const decide = ({ gateKey, subject }: Asked) => {
      if (gateKey === 'contract_drift') return { action, comment: 'As I say.' };
      if (gateKey === 'brief_approved') {
        path = join(worktree, 'brief');
        const [brief] = (subject.artifacts ?? []) as { path: string }[];
        const text = readFileSync(brief?.path ?? '', 'utf8');
        const directory = /project_dir: (\S+)/.exec(text)?.[1] ?? '';
        path = join(worktree, directory, 'brief.md');
        const changed = text.replace('research_topics: 1', 'research_topics: 0');
        writeFileSync(path, changed.replace('research_status: complete', 'research_status: skipped'));
      }
      return { action: 'approve' as const };
    };
    const events = await drive(daemon(), runId, { decide });
    await proveEnd(daemon(), runId, 'completed');
    expect(payloads(events, 'contract.drifted')).toMatchObject([{ contract: 'handover/brief@1' }]);
    expect(readFileSync(path, 'utf8')).toContain(`research_topics: ${topics}`);
    expect(keys(events)).toContain('contract_drift');
  }
});

test('CS-51 CS-52 CS-53 a cycle goes on until all tests pass, and a person raises its limit', async () => {
  const decide = ({ gateKey }: Asked) =>
    gateKey === 'iterations_exhausted'
      ? { action: 'request_changes' as const, comment: 'Once more.' }
      : { action: 'approve' as const };
  const words = scenario(`vas=${Array.from({ length: 5 }, () => 'fails').join('-then-')}-then-ok`);
  const { run, events } = await whole(daemon(), 'dev-cycle', words, { decide });
  expect(keys(events)).toEqual(['iterations_exhausted', 'cycle_accepted']);
  expect(run.iterations).toHaveLength(6);
  expect(run.iterations?.at(-1)).toMatchObject({ extension: 'Once more.', resolved: true });
  const [id = ''] = await daemon().ask('cycle.list', { repo: run.worktreeRoot });
  const shown = await daemon().ask('cycle.show', { repo: run.worktreeRoot, id });
  expect(shown).toMatchObject({ status: 'completed', max_iterations: 6, current_iteration: 6 });
  expect(await checkOf(daemon(), run.worktreeRoot)).toMatchObject({ valid: true });
  await proveDelivered(daemon(), run, async (repo) => {
    expect(await daemon().ask('cycle.show', { repo, id })).toMatchObject({ status: 'completed' });
    expect(await daemon().ask('cycle.sync', { repo, id })).toMatchObject({ valid: true });
  });
});

test('AD-35 AD-36 a flow begins where the repository is, and asks at its boundary', async () => {
  const repo = daemon().repo();
  mkdirSync(join(repo.dir, '_docs'));
  writeFileSync(join(repo.dir, '_docs', '_repo-config.yaml'), 'components: []\nconfirmed_by_user: false\n');
  const runId = await start(daemon(), 'autodev-meta-repo', 'Care for it.', repo.dir);
  const isBoundary = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'session_boundary';
  const asked = (await drive(daemon(), runId, { stopAt: isBoundary, decide: () => undefined })).at(-1)?.payload;
  const { worktreeRoot } = await daemon().ask('run.get', { runId });
  expect(readIn(worktreeRoot, '_docs/_autodev_state.md')).toMatch(/^step: 3\nname: Status\nstatus: not_started$/m);
  const decision = {
    approvalId: String(asked?.approvalRequestId),
    action: 'approve',
    clientToken: randomUUID(),
  } as const;
  await expect(daemon().ask('approval.decide', decision)).rejects.toMatchObject({ code: 'autodev_transition' });
  // A person reads it, and says so there. The gate asks for this edit, so it is part of the decision.
  writeFileSync(join(worktreeRoot, '_docs', '_repo-config.yaml'), 'components: []\nconfirmed_by_user: true\n');
  expect(await daemon().ask('approval.get', { approvalId: decision.approvalId })).not.toHaveProperty('moved');
  await daemon().ask('approval.decide', decision);
  const events = await drive(daemon(), runId);
  const { run } = await proveEnd(daemon(), runId, 'completed');
  expect(skipped(events)).toEqual(['config-unconfirmed']);
  expect(keys(events)).toEqual(['session_boundary', 'changes_approved']);
  await expect(start(daemon(), 'autodev-greenfield', 'Begin.', repo.dir)).resolves.toBeDefined();
  rmSync(join(repo.dir, '_docs'), { recursive: true });
  await proveDelivered(daemon(), run, async (dir) => {
    expect(readIn(dir, '_docs/_autodev_state.md')).toMatch(/^step: 3$/m);
  });
});

/** Where devflow has acted for a contract and nothing is recorded yet, or the other way round. */
const OF_CONTRACTS: readonly CrashPoint[] = [
  'publishArtifact.before_write',
  'publishArtifact.after_write',
  'exchangeFiles.before_write',
  'exchangeFiles.after_write',
  'deliverFiles.before_commit',
  'deliverFiles.after_commit',
];

test('HC-8.5 a kill at each crash point of contracts changes nothing, and sends nothing twice', async () => {
  const own = await startDaemon();
  const killing = await killAtPoints(own, OF_CONTRACTS);
  const { run, events } = await whole(own, 'pipeline', scenario('review=blocks-then-ok'));
  const { deaths, unvisited } = await killing.stop();
  expect([unvisited, deaths >= OF_CONTRACTS.length]).toEqual([[], true]);
  expect(sentOnce(events)).toBe(true);
  expect(await checkOf(own, run.worktreeRoot)).toMatchObject({ valid: true });
  expect(existsSync(run.worktreeRoot)).toBe(true);
});

test.each(['pipeline', 'dev-cycle', 'autodev-greenfield', 'autodev-existing-code', 'autodev-meta-repo'])(
  'AD-34 CS-55 %s comes to its end with the daemon killed in each phase',
  async (template) => {
    const own = await startDaemon();
    const words = scenario('review=blocks-then-ok', 'vas=fails-then-ok');
    const repo = own.repo();
    if (template === 'autodev-meta-repo') {
      // A person has confirmed the configuration, and no agent of this test makes another.
      repo.write({ '_docs/_repo-config.yaml': 'confirmed_by_user: true\n' });
      repo.git('add', '.');
      repo.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'Confirm');
      rmSync(join(repo.dir, '_docs'), { recursive: true });
    }
    const runId = await start(own, template, words, repo.dir);
    const deaths = killInEachPhase(own, runId);
    const events = await drive(own, runId, { patienceMs: 200_000 }).finally(deaths.stop);
    const killed = await deaths.phases();
    expect(sentOnce(events)).toBe(true);
    const { run } = await proveEnd(own, runId, 'completed');
    const worked = new Set(run.assignments.map(({ phaseKey }) => phaseKey));
    expect([...worked].filter((phase) => !killed.has(phase))).toEqual([]);
    expect(killed.size).toBeGreaterThan(1);
    expect(await checkOf(own, run.worktreeRoot)).toMatchObject({ valid: true });
  },
);
