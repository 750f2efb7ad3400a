import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';
import { shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { type Asked, drive } from '../helpers/drive.ts';
import { checkOf, startFlow, whole } from './contractFlows.ts';
import { payloads, proveEnd, scenario } from './support.ts';

const keys = (events: readonly EventView[]) => payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);
const skipped = (events: readonly EventView[]) => payloads(events, 'phase.skipped').map(({ evidence }) => evidence);
const readIn = (worktree: string, path: string) => readFileSync(join(worktree, path), 'utf8');

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
  const runId = await startFlow(daemon(), 'pipeline', scenario('plan=invalid'));
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
    const runId = await startFlow(daemon(), 'pipeline', scenario('review=ok'));
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
  const runId = await startFlow(daemon(), 'autodev-meta-repo', 'Care for it.', repo.dir);
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
  await expect(startFlow(daemon(), 'autodev-greenfield', 'Begin.', repo.dir)).resolves.toBeDefined();
  rmSync(join(repo.dir, '_docs'), { recursive: true });
  await proveDelivered(daemon(), run, async (dir) => {
    expect(readIn(dir, '_docs/_autodev_state.md')).toMatch(/^step: 3$/m);
  });
});
