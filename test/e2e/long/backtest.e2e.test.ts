import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { strategy } from '../../../cli/demo/stories.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { evaluationPlace, packageRoot } from '../../../schemas/files/paths.ts';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { shareDaemon } from '../../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../../helpers/drive.ts';
import { evaluated, patient, startMeasured } from '../measuredRuns.ts';
import { payloads, proveEnd } from '../support.ts';

const daemon = shareDaemon();
const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });

test('a loop improves what it measures, undoes what is not better, and delivers the best state', async () => {
  const values = { base: 1, 1: 1.5, 2: 1.2, 3: 'out of data', 4: 2.5 };
  const { runId, repo, ran } = await startMeasured(daemon(), { values });
  await drive(daemon(), runId, patient);
  const { run, events, report } = await proveEnd(daemon(), runId, 'completed');
  expect(evaluated(events)).toEqual([
    [true, null],
    [true, null],
    [false, null],
    [false, null],
    [true, 'met'],
  ]);
  expect(ran()).toEqual(['base all', 'base all', '1 all', '1 all', '2 all', '3 all', '4 all', '4 all']);
  const delivered = repo.git('ls-tree', '-r', '--name-only', run.branch ?? '');
  expect(delivered.split('\n').filter((path) => path.startsWith('fake/'))).toEqual([
    'fake/implement-1.md',
    'fake/implement-4.md',
  ]);
  expect(delivered).not.toContain('left-behind');
  expect(JSON.stringify(events)).not.toContain('DEVFLOW_METRICS');
  expect(existsSync(evaluationPlace(daemon().workspaceRoot, runId).worktree)).toBe(false);
  const shown = await daemon().ask('backtest.show', { runId, iteration: 4 });
  expect(shown.summary).toMatchObject({ metric: 'sharpe', base: 1, best: { iteration: 4, value: 2.5 }, stop: 'met' });
  expect(shown.iterations.map(({ status, gain }) => [status, gain])).toEqual([
    ['valid', null],
    ['valid', 0.5],
    ['valid', expect.closeTo(-0.3)],
    ['invalid', null],
    ['valid', 1],
  ]);
  expect(await daemon().ask('backtest.show', { runId })).toEqual({ ...shown, detail: null, dates: null });
  expect(registry.validateArtifact('bt/iteration-result@1', shown.detail)).toEqual({ ok: true });
  expect(shown.detail?.mined?.clusters[0]).toMatchObject({ id: expect.stringContaining('=') });
  expect(await daemon().ask('backtest.list', { limit: 1 })).toEqual([shown.summary]);
  const compared = await daemon().ask('backtest.compare', { runId, a: 0 });
  expect(compared.diff?.files.map(({ path }) => path)).toEqual(['fake/implement-1.md', 'fake/implement-4.md']);
  expect(report.measured).toMatchObject({ summary: shown.summary, targets: [{ state: 'met' }] });
  await expect(daemon().ask('backtest.show', { runId, iteration: 9 })).rejects.toThrow('it has measured 0 to 4');
});

test('the best state is delivered although the last was worse, when a person takes it', async () => {
  const { runId, repo } = await startMeasured(daemon(), {
    values: { base: 1, 1: 1.5, 2: 1.2, 3: 1.1 },
    objective: { stop: { plateau: { patience: 2 } } },
  });
  const asked: Asked[] = [];
  const decide = (gate: Asked) => {
    asked.push(gate);
    return { action: 'approve' as const };
  };
  await drive(daemon(), runId, { ...patient, decide });
  const { run, events } = await proveEnd(daemon(), runId, 'completed');
  expect(evaluated(events).at(-1)).toEqual([false, 'plateau']);
  expect(asked.map(({ gateKey }) => gateKey)).toEqual(['objective_not_met', 'changes_approved']);
  expect(asked[0]?.subject).toMatchObject({
    reason: expect.stringMatching(/^2 valid iterations in a row brought no gain; in the best state, sharpe must be /),
  });
  const names = repo.git('ls-tree', '-r', '--name-only', run.branch ?? '').split('\n');
  expect(names.filter((path) => path.startsWith('fake/'))).toEqual(['fake/implement-1.md']);
});

test('a changed protected file voids the iteration', async () => {
  const { runId } = await startMeasured(daemon(), {
    values: { base: 1 },
    objective: { protected: ['fake/**'] },
  });
  const stopAt = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'objective_not_met';
  const events = await drive(daemon(), runId, { ...patient, stopAt, decide: () => undefined });
  expect(evaluated(events)).toEqual([
    [true, null],
    [false, 'tampered'],
  ]);
  expect(events.at(-1)?.payload.subject).toMatchObject({ reason: 'fake/implement-1.md is protected' });
  const shown = await daemon().ask('backtest.show', { runId, iteration: 1 });
  expect(await daemon().ask('backtest.show', { runId })).toEqual({ ...shown, detail: null, dates: null });
  await daemon().ask('run.abort', { runId });
});

// That no prompt has it is shown in test/daemon/core/objective/loop.test.ts.
test('the holdout stands in no artifact and no file of the worktree', async () => {
  const splits = { validation: { from: 'VALIDATE', to: 'X' }, holdout: { from: 'SECRET-FROM', to: 'SECRET-TO' } };
  const { runId, ran } = await startMeasured(daemon(), {
    values: { base: 1, 1: 2.5, holdout: 2.2 },
    objective: { splits },
  });
  const atGate = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'changes_approved';
  await drive(daemon(), runId, { ...patient, stopAt: atGate, decide: () => undefined });
  const open = await daemon().ask('run.get', { runId });
  const files = readdirSync(open.worktreeRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const readable = [...files, ...open.artifacts.map(({ path, storedPath }) => storedPath ?? path)].map((path) =>
    readFileSync(path, 'utf8'),
  );
  expect(readable.filter((text) => text.includes('# Hypothesis') || text.includes('"hypothesis"'))).not.toEqual([]);
  expect(readable.filter((text) => text.includes('SECRET'))).toEqual([]);
  expect(JSON.stringify(open)).not.toContain('SECRET');
  await drive(daemon(), runId, patient);
  const { run } = await proveEnd(daemon(), runId, 'completed');
  expect(ran()).toEqual(['base validation', 'base validation', '1 validation', '1 validation', '1 holdout']);
  expect(run.objective).toMatchObject({ splits: { holdout: { from: 'SECRET-FROM' } } });
});

test('a real strategy: luck and losses are undone, a crash does not count, and what fits only its data misses the holdout', async () => {
  const { files, run: given } = strategy();
  const repo = daemon().repo();
  repo.write(files());
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Strategy');
  const requirements = 'Improve: spike, worse, crash, longer, overfit';
  const file = join(repo.dir, '..', `${repo.dir.split('/').at(-1)}-objective.json`);
  writeFileSync(file, JSON.stringify(given.objective));
  const asked = ['--objective', file, '--repo', repo.dir];
  const tried = await daemon().cli(['backtest', 'try', ...asked]);
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Measured validation of \w{12} in /) });
  expect(tried.stdout).toContain('target: mdd at most 0.2, which is 20 %');
  expect(tried.stdout).toMatch(/sharpe must be at least 1\.7 and is 0\.84/);
  const dry = ['run', 'start', '--dry-run', '--template', String(given.template), '--message', 'x', ...asked];
  const backends = Object.entries(given.backend ?? {}).flatMap(([role, backend]) => [
    '--backend',
    `${role}=${backend}`,
  ]);
  expect((await daemon().cli([...dry, ...backends])).stdout).toContain('target: mdd at most 0.2, which is 20 %');
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  const runId = await startRun(daemon(), { repo: repo.dir, ...given, requirements });
  const stopAt = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'objective_not_met';
  const events = await drive(daemon(), runId, { ...patient, stopAt, decide: () => undefined });
  expect(evaluated(events)).toEqual([
    [true, null],
    [false, null],
    [false, null],
    [false, null],
    [true, null],
    [true, 'holdout'],
  ]);
  expect(payloads(events, 'backtest.iteration_completed').map(({ status }) => status)).toEqual([
    ...['valid', 'valid', 'valid', 'invalid', 'valid', 'valid'],
  ]);
  const shown = await daemon().ask('backtest.show', { runId, iteration: 5 });
  const { iterations, detail } = shown;
  expect(await daemon().ask('backtest.show', { runId })).toEqual({ ...shown, detail: null, dates: null });
  expect(iterations[1]?.reason).toMatch(/^sharpe gains 0\.033.*, and more than 0\.11.* is needed to be no accident$/);
  expect(detail?.hypothesis?.evidence).toEqual([expect.stringMatching(/^\w+=/)]);
  await daemon().ask('run.abort', { runId });
  const { report } = await proveEnd(daemon(), runId, 'aborted');
  // Each iteration replaces the hypothesis that the implementer reads.
  expect(JSON.stringify(report.unresolved)).not.toContain('artifact_changed');
});
