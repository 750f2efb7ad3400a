import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { until } from '../helpers/until.ts';
import { payloads, proveEnd, proveLog } from './support.ts';

const isAtRest = ({ sessions }: RunDetail) => sessions[0]?.stall?.cause === 'turn_over';

async function started(daemon: TestDaemon, dir: string, ...more: string[]): Promise<RunDetail> {
  const said = await daemon.cli(['start', '--backend', 'fake', '--json', ...more, 'Greet', 'a', 'person.'], {
    cwd: dir,
  });
  expect([said.code, said.stderr]).toEqual([0, expect.any(String)]);
  const { runId } = JSON.parse(said.stdout) as { runId: string };
  return until('its turn is over', async () => {
    const run = await daemon.ask('run.get', { runId });
    return isAtRest(run) ? run : undefined;
  });
}

const gateOf = (daemon: TestDaemon, runId: string, gateKey: string) =>
  until(`the gate ${gateKey}`, async () => {
    const gates = await daemon.ask('approval.list', { runId });
    return gates.find((gate) => gate.gateKey === gateKey);
  });

test('a workflow follows in the run, worktree and conversation of an agent that a person led', async () => {
  const daemon = await makeDaemon();
  const { dir } = daemon.repo();
  await daemon.start();
  const { runId, worktreeRoot, sessions } = await started(daemon, dir);
  writeFileSync(join(worktreeRoot, 'hello.txt'), 'Hello, person.\n');
  await daemon.cli(['finish', '--json', runId], { cwd: dir });
  await gateOf(daemon, runId, 'changes_approved');

  const follow = [
    'continue',
    runId,
    '--template',
    'quick-change@2',
    '--backend',
    'reviewer=fake',
    '--backend',
    'verifier=fake',
  ];
  const planned = await daemon.cli([...follow, '--dry-run', '--json'], { cwd: dir });
  expect(
    JSON.parse(planned.stdout).bindings.map((each: { roleId: string; fresh: boolean }) => [each.roleId, each.fresh]),
  ).toEqual([
    ['implementer', false],
    ['reviewer', true],
    ['verifier', true],
  ]);
  const said = await daemon.cli(follow, { cwd: dir });
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('quick-change@2 follows in run')]);
  await daemon.kill('SIGKILL');
  await daemon.start();

  await gateOf(daemon, runId, 'changes_approved');
  const run = await daemon.ask('run.get', { runId });
  expect(run).toMatchObject({ template: 'quick-change@2', templates: ['direct@1', 'quick-change@2'], worktreeRoot });
  expect(
    run.sessions
      .filter(({ roleId, laneId }) => roleId === 'implementer' && laneId === 'main')
      .map(({ sessionId }) => sessionId),
  ).toEqual([sessions[0]?.sessionId]);
  expect(payloads(await proveLog(daemon, runId), 'run.continued')).toHaveLength(1);
  await daemon.cli(['approve', '--yes'], { cwd: dir });
  await proveEnd(daemon, runId, 'completed');
  expect((await daemon.cli(['apply', '--yes'], { cwd: dir })).code).toBe(0);
  expect(readFileSync(join(dir, 'hello.txt'), 'utf8')).toBe('Hello, person.\n');
});

test('an agent works in the checkout after a question, and devflow leaves branch, index and files as they are', async () => {
  const daemon = await makeDaemon();
  const { dir } = daemon.repo();
  await daemon.start();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' }).trim();
  const before = [git('rev-parse', 'HEAD'), git('branch', '--list'), git('ls-files', '--stage')];
  const unasked = await daemon.cli(['start', '--here', '--backend', 'fake', 'Greet'], { cwd: dir });
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('needs your word')]);
  const { runId, worktreeRoot } = await started(daemon, dir, '--here', '--yes');
  expect(worktreeRoot).toBe(dir);
  const second = await daemon.cli(['start', '--here', '--yes', '--backend', 'fake', 'Another'], { cwd: dir });
  expect([second.code, second.stderr]).toEqual([5, expect.stringContaining(runId)]);

  writeFileSync(join(dir, 'hello.txt'), 'Hello, person.\n');
  await daemon.cli(['finish', '--json', runId], { cwd: dir });
  const gate = await gateOf(daemon, runId, 'changes_approved');
  expect((await daemon.cli(['diff', runId, '--name-only'], { cwd: dir })).stdout).toBe('hello.txt\n');
  writeFileSync(join(dir, 'hello.txt'), 'Hello, world.\n');
  const stale = await daemon.cli(['approve', gate.id, '--yes'], { cwd: dir });
  expect([stale.code, stale.stderr]).toEqual([5, expect.stringContaining('Files of your checkout changed')]);
  await daemon.cli(['approve', '--yes'], { cwd: dir });
  await proveEnd(daemon, runId, 'completed');
  const applied = await daemon.cli(['apply', runId, '--yes'], { cwd: dir });
  expect([applied.code, applied.stderr]).toEqual([5, expect.stringContaining('worked in your checkout')]);
  expect((await daemon.cli(['cleanup', runId, '--yes'], { cwd: dir })).code).toBe(0);
  expect(readFileSync(join(dir, 'hello.txt'), 'utf8')).toBe('Hello, world.\n');
  expect([git('rev-parse', 'HEAD'), git('branch', '--list'), git('ls-files', '--stage')]).toEqual(before);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});
