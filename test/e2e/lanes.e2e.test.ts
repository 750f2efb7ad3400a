import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CRASH_POINTS } from '../../daemon/system/faults.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';

const TEMPLATE = 'parallel-development@1';

interface Planned {
  id: string;
  dependsOn?: string[];
  /** Lines for the fake agent of the task. */
  words?: string[];
  checks?: { argv: string[] }[];
}

function requirementsFor(tasks: readonly Planned[]): string {
  const dag = tasks.map(({ id, dependsOn = [], words = [], checks = [] }) => {
    const description = ['Do it.', ...words].join('\n');
    const facts = { requirements: [], writeSet: [`src/${id}/**`], risk: 'low', size: 's' };
    return { id, title: `Title of ${id}`, description, dependsOn, checks, ...facts };
  });
  return `Make it better.\n\n\`\`\`json dag\n${JSON.stringify({ summary: 'A plan.', tasks: dag })}\n\`\`\`\n`;
}

async function startTasks(daemon: TestDaemon, tasks: readonly Planned[], verify: string[][] = []) {
  const repo = daemon.repo();
  const backend = { planner: 'fake', implementer: 'fake', resolver: 'fake' } as const;
  const request = { template: TEMPLATE, requirements: requirementsFor(tasks), backend, extra: { verify } };
  return { repo, runId: await startRun(daemon, { repo: repo.dir, ...request }) };
}

async function runTasks(daemon: TestDaemon, tasks: readonly Planned[], verify: string[][] = []) {
  const { repo, runId } = await startTasks(daemon, tasks, verify);
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  const run = await ended(daemon, runId);
  const files = repo.git('ls-tree', '-r', '--name-only', `devflow/${runId}/main`).split('\n');
  return { repo, runId, events, run, files };
}

const payloads = (events: readonly EventView[], type: string) =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);

/** Twelve tasks of which five begin at once. */
const TWELVE = Array.from({ length: 12 }, (_, n): Planned => {
  return { id: `T${n + 1}`, dependsOn: n < 5 ? [] : [`T${n - 4}`] };
});

test('twelve tasks in five lanes all land, while the daemon is killed again and again', async () => {
  const daemon = await startDaemon();
  const { repo, runId } = await startTasks(daemon, TWELVE);
  let kills = 0;
  let isOver = false;
  // Each kill comes after some more events, at whatever the daemon does then.
  const killer = (async () => {
    for (let seq = 15; kills < 20 && !isOver; seq += 6) {
      await until('the log has grown', async () => isOver || (await daemon.ask('run.get', { runId })).lastSeq > seq);
      if (isOver) return;
      await daemon.kill('SIGKILL');
      kills += 1;
      await daemon.start();
    }
  })();
  const events = await drive(daemon, runId, { patienceMs: 200_000 }).finally(() => {
    isOver = true;
  });
  await killer;
  const run = await ended(daemon, runId);
  expect(run.state).toBe('completed');
  expect(kills).toBe(20);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(payloads(events, 'lane.opened')).toHaveLength(5);
  expect(payloads(events, 'lane.landed')).toHaveLength(5);
  const files = repo.git('ls-tree', '-r', '--name-only', `devflow/${runId}/main`);
  for (const { id } of TWELVE) expect(files).toContain(`src/${id}/`);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(await daemon.call('run.verify', { runId })).toEqual({ runId, ok: true, differences: [] });
});

test('a lane that conflicts with what landed is resolved by its agent', async () => {
  const daemon = await startDaemon();
  const words = ['Also-Writes: shared.txt'];
  const { run, runId, events, repo } = await runTasks(daemon, [
    { id: 'A', words },
    { id: 'B', words },
  ]);
  expect(run.state).toBe('completed');
  expect(payloads(events, 'merge.ejected')).toMatchObject([{ cause: 'conflict', paths: ['shared.txt'] }]);
  const shared = repo.git('show', `devflow/${runId}/main:shared.txt`);
  for (const id of ['A', 'B']) expect(shared).toContain(id);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true });
});

/** Where a performer of lanes has acted and nothing is recorded yet. */
const OF_LANES = CRASH_POINTS.filter((point) =>
  /^(findOverlaps|prepareLane|commitResolution|testMerge|landMerge)\./.test(point),
);

test('a kill at each crash point of lanes changes nothing', async () => {
  const daemon = await startDaemon();
  const list = join(daemon.root, 'visits');
  writeFileSync(`${list}.deadly`, OF_LANES.join('\n'));
  await daemon.restart({ DEVFLOW_FAULT: `list:${list}` });
  const words = ['Also-Writes: shared.txt'];
  const { runId, repo } = await startTasks(daemon, [
    { id: 'A', words },
    { id: 'B', words },
  ]);
  const over = new AbortController();
  let deaths = 0;
  const revive = (async () => {
    for (;;) {
      const stopped = new Promise<'over'>((resolve) => over.signal.addEventListener('abort', () => resolve('over')));
      if ((await Promise.race([daemon.exited(), stopped])) === 'over') return;
      deaths += 1;
      await daemon.start({ DEVFLOW_FAULT: `list:${list}` });
    }
  })();
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  const run = await ended(daemon, runId);
  over.abort();
  await revive;
  expect(run.state).toBe('completed');
  expect(deaths).toBeGreaterThanOrEqual(OF_LANES.length);
  const visited = readFileSync(list, 'utf8');
  expect(OF_LANES.filter((point) => !visited.includes(point))).toEqual([]);
  expect(payloads(events, 'merge.ejected')).toHaveLength(1);
  expect(payloads(events, 'lane.landed')).toHaveLength(2);
  const shared = repo.git('show', `devflow/${runId}/main:shared.txt`);
  for (const id of ['A', 'B']) expect(shared).toContain(id);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true });
});

test('a lane that breaks the checks together with what landed comes back, and the others land', async () => {
  const daemon = await startDaemon();
  // Green with either of A and B, red with both. C has nothing to do with it.
  const collides = ['sh', '-c', '! { [ -d src/A ] && grep -rqs BROKEN src/B; }'];
  const tasks: Planned[] = [{ id: 'A' }, { id: 'B', words: ['Scenario: broken'] }, { id: 'C' }];
  const { run, events, files } = await runTasks(daemon, tasks, [collides]);
  expect(run.state).toBe('completed');
  const ejected = payloads(events, 'merge.ejected');
  expect(ejected.every(({ laneId }) => laneId === 'lane-2')).toBe(true);
  for (const { id } of tasks) expect(files.some((file) => file.startsWith(`src/${id}/`))).toBe(true);
  const trees = payloads(events, 'merge.tested').map(({ tree, nth }) => `${tree} ${nth}`);
  expect(new Set(trees).size).toBe(trees.length);
});
