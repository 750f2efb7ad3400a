import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../cli/commandLine.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { RpcParams } from '../../../schemas/rpc/methods/index.ts';
import { fakeIo } from '../fakeIo.ts';

const RUNS = 25;
const endOf = (nth: number) => ({
  runId: derivedId(`run ${nth}`),
  title: `Run ${nth}`,
  repoPath: '/repo',
  goes: [{ what: 'worktree', path: `/w/${nth}`, branch: null, head: null, bytes: null }],
  kept: [],
});

/** A daemon with many ended runs, whose n-th removal of several fails. */
async function daemonThatFailsAt(call: number) {
  const home = mkdtempSync(join(tmpdir(), 'devflow-ends-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { DEVFLOW_HOME: home };
  const { socketPath } = resolvePaths(env);
  mkdirSync(dirname(socketPath), { recursive: true });
  const all = Array.from({ length: RUNS }, (_, nth) => endOf(nth));
  let calls = 0;
  const handlers = {
    'run.cleanupEnded'({ dryRun, agreed = [] }: RpcParams<'run.cleanupEnded'>) {
      if (dryRun) return { runs: all, done: false };
      calls += 1;
      if (calls === call) throw new DevflowError('git_failed', 'git could not remove a worktree.');
      return { runs: all.filter(({ runId }) => agreed.some((each) => each.runId === runId)), done: false };
    },
  } as unknown as Handlers;
  const server = await startRpc({ socketPath, handlers, log: { error: () => {} } });
  onTestFinished(() => server.close(100));
  return env;
}

test('with --json a removal that fails does not hide what is gone already', async () => {
  const io = fakeIo({ env: await daemonThatFailsAt(3) });
  const code = await runCli(['cleanup', '--ended', '--yes', '--json'], io);
  expect(code).not.toBe(0);
  const { runs, done } = JSON.parse(io.written.out);
  expect(runs.map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 20 }, (_, nth) => `Run ${nth}`),
  );
  expect(done).toBe(false);
  expect(JSON.parse(io.written.err)).toMatchObject({ error: { code: 'git_failed' } });
});

test('with --json nothing but the error is printed if nothing is gone yet', async () => {
  const io = fakeIo({ env: await daemonThatFailsAt(1) });
  expect(await runCli(['cleanup', '--ended', '--yes', '--json'], io)).not.toBe(0);
  expect(io.written.out).toBe('');
});

test('as text each part says at once what is gone', async () => {
  const io = fakeIo({ env: await daemonThatFailsAt(2) });
  expect(await runCli(['cleanup', '--ended', '--yes'], io)).not.toBe(0);
  expect(io.written.out.match(/^removed worktree /gm)).toHaveLength(10);
});
