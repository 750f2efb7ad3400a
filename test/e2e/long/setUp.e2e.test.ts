import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../../helpers/drive.ts';
import { daemonWithPanes } from '../../helpers/paneDaemon.ts';
import { IS_SET_UP, installedRepo, startInLanes } from '../setUpRuns.ts';
import { payloads, proveEnd, scenario } from '../support.ts';

const BACKEND = { planner: 'fake', implementer: 'fake' } as const;
const request = { template: 'development@1', backend: BACKEND, extra: { verify: [IS_SET_UP] }, allowSetup: true };
const setUps = (events: Parameters<typeof payloads>[0]) =>
  payloads(events, 'worktree.set_up').map(({ laneId, ok }) => `${laneId} ${ok}`);

test('the tests of the repository pass in main, in two lanes and in the merge queue', async () => {
  const daemon = await startDaemon();
  const { repo, ran } = installedRepo(daemon);
  const runId = await startInLanes(daemon, repo);
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { run, events } = await proveEnd(daemon, runId, 'completed');
  expect(setUps(events).sort()).toEqual(['lane-1 true', 'lane-2 true', 'main true']);
  expect(payloads(events, 'merge.ejected')).toEqual([]);
  expect(payloads(events, 'command.failed')).toEqual([]);
  expect([...new Set(ran())].sort()).toEqual(['checks 1', 'lane-1 1', 'lane-2 1', 'main 1']);
  expect(ran()).toHaveLength(4);
  const ports = payloads(events, 'worktree.placed').map(({ ports: chosen }) => Object.values(chosen as object)[0]);
  expect(new Set(ports).size).toBe(3);
  const files = repo.git('ls-tree', '-r', '--name-only', String(run.branch));
  expect(files).not.toMatch(/node_modules|\.env/);
  const shown = (await daemon.cli(['run', 'show', runId])).stdout;
  expect(shown).toMatch(/set-up +set up in .*copied \.env\.local/);
  expect(readFileSync(run.finalReportPath ?? '', 'utf8')).toContain('## Worktrees');
});

test('a lane whose lock file changes is set up again, and so is everything that gets its work', async () => {
  const daemon = await startDaemon();
  const { repo, ran } = installedRepo(daemon);
  const runId = await startInLanes(daemon, repo, ['Also-Writes: package-lock.json']);
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'command.failed')).toEqual([]);
  expect(payloads(events, 'merge.ejected')).toEqual([]);
  const outdated = payloads(events, 'worktree.outdated');
  expect(outdated.map(({ laneId }) => laneId)).toContain('main');
  for (const { reason } of outdated) expect(reason).toBe('package-lock.json changed');
  expect(new Set(ran())).toEqual(new Set([...ran(), 'main 1', 'main 2', 'lane-1 1', 'lane-2 1', 'checks 2']));
  const again = ran().filter((line) => / 2$/.test(line));
  expect(again.filter((line) => line.startsWith('lane-')).length).toBeGreaterThan(0);
});

test('a copied file that an agent committed is in no commit of a run that a person aborts', async () => {
  const daemon = await startDaemon();
  const { repo } = installedRepo(daemon);
  const requirements = scenario('spec=timeout');
  const runId = await startRun(daemon, { repo: repo.dir, ...request, requirements });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'session.busy' });
  const { worktreeRoot } = await daemon.call('run.get', { runId });
  writeFileSync(join(worktreeRoot, 'work.txt'), 'half\n');
  repo.git('-C', worktreeRoot, 'add', '-f', '.env.local', 'work.txt');
  repo.git('-C', worktreeRoot, '-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-qm', 'Half');
  await daemon.call('run.abort', { runId });
  const { run } = await proveEnd(daemon, runId, 'aborted');
  const branch = String(run.branch);
  expect(repo.git('log', '--format=%s', '--name-only', `main..${branch}`)).toBe('Work of a stopped agent\n\nwork.txt');
  expect(readFileSync(join(worktreeRoot, '.env.local'), 'utf8')).toContain('TOKEN');
});

/** The variables of the processes below one. */
function environmentsBelow(pid: string): string[][] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.flatMap((child) => [
    readFileSync(`/proc/${child}/environ`, 'utf8').split('\0'),
    ...environmentsBelow(child),
  ]);
}

test('an agent gets the environment of its worktree', async () => {
  const { daemon, env, tmux } = await daemonWithPanes();
  await daemon.start(env);
  const { repo } = installedRepo(daemon);
  const backend = { planner: 'claude', implementer: 'claude' } as const;
  const runId = await startRun(daemon, { repo: repo.dir, ...request, backend });
  const isReady = ({ type }: { type: string }) => type === 'session.ready';
  const events = await drive(daemon, runId, { stopAt: isReady, patienceMs: 200_000 });
  const panes = tmux('list-panes', '-a', '-F', '#{pane_pid}').split('\n');
  const [placed] = payloads(events, 'worktree.placed');
  const { PORT } = (placed?.ports ?? {}) as { PORT?: number };
  const wanted = [`PORT=${PORT}`, `DEVFLOW_RUN=${runId}`, 'DEVFLOW_LANE=main'];
  const hasAll = (variables: string[]) => wanted.every((each) => variables.includes(each));
  expect(panes.flatMap(environmentsBelow).filter(hasAll)).not.toEqual([]);
  await daemon.call('run.abort', { runId });
});

test.each([
  ['approve', 'completed', true],
  ['reject', 'completed', false],
  ['abort', 'aborted', false],
] as const)('a set-up that fails asks a person, who can %s', async (action, state, isSetUp) => {
  const daemon = await startDaemon();
  const once = 'test -e "$RAN" || { echo 2 > package-lock.json; echo no registry >&2; touch "$RAN"; exit 3; }';
  const { repo } = installedRepo(daemon, {
    setup: [['sh', '-c', `${once}; mkdir -p node_modules; cp package-lock.json node_modules/lock`]],
  });
  const extra = { verify: [['sh', '-c', isSetUp ? 'test -d node_modules' : 'test ! -d node_modules']] };
  const runId = await startRun(daemon, { repo: repo.dir, ...request, extra });
  const asked: Asked[] = [];
  await drive(daemon, runId, {
    decide(gate) {
      if (gate.gateKey !== 'setup_failed') return { action: 'approve' };
      asked.push(gate);
      return { action };
    },
  });
  const { run } = await proveEnd(daemon, runId, state);
  expect(asked).toMatchObject([{ kind: 'recovery', laneId: 'main', subject: { exitCode: 3, tail: 'no registry' } }]);
  expect(readFileSync(join(run.worktreeRoot, 'package-lock.json'), 'utf8')).toBe('1\n');
  expect(existsSync(join(run.worktreeRoot, 'node_modules'))).toBe(isSetUp);
});
