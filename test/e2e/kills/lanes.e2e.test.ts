import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CRASH_POINTS } from '../../../daemon/system/faults.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive, ended } from '../../helpers/drive.ts';
import { COLLIDES, COLLIDING, startTasks } from '../laneRuns.ts';
import type { Planned } from '../plannedTasks.ts';
import { payloads } from '../support.ts';
import { killAsItGrows, killAtPoints } from './killing.ts';

/** Twelve tasks of which five begin at once. */
const TWELVE = Array.from({ length: 12 }, (_, n): Planned => {
  return { id: `T${n + 1}`, dependsOn: n < 5 ? [] : [`T${n - 4}`] };
});

test('twelve tasks in five lanes all land, while the daemon is killed again and again', async () => {
  const daemon = await startDaemon();
  const { repo, runId } = await startTasks(daemon, TWELVE);
  const deaths = killAsItGrows(daemon, runId, { from: 15, every: 6, times: 20 });
  const events = await drive(daemon, runId, { patienceMs: 200_000 }).finally(deaths.stop);
  const run = await ended(daemon, runId);
  expect(run.state).toBe('completed');
  expect(await deaths.count()).toBe(20);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(payloads(events, 'lane.opened')).toHaveLength(5);
  expect(payloads(events, 'lane.landed')).toHaveLength(5);
  const files = repo.git('ls-tree', '-r', '--name-only', `devflow/${runId}/main`);
  for (const { id } of TWELVE) expect(files).toContain(`src/${id}/`);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(await daemon.call('run.verify', { runId })).toEqual({ runId, ok: true, differences: [] });
});

/** Where a performer of lanes has acted and nothing is recorded yet. */
const OF_LANES = CRASH_POINTS.filter((point) =>
  /^(findOverlaps|prepareLane|commitResolution|testMerge|landMerge)\./.test(point),
);

test('a kill at each crash point of lanes changes nothing', async () => {
  const daemon = await startDaemon();
  const killing = await killAtPoints(daemon, OF_LANES);
  const words = ['Also-Writes: shared.txt'];
  const { runId, repo } = await startTasks(daemon, [
    { id: 'A', words },
    { id: 'B', words },
  ]);
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  const run = await ended(daemon, runId);
  const { deaths, unvisited } = await killing.stop();
  expect(run.state).toBe('completed');
  expect(deaths).toBeGreaterThanOrEqual(OF_LANES.length);
  expect(unvisited).toEqual([]);
  expect(payloads(events, 'merge.ejected')).toHaveLength(1);
  expect(payloads(events, 'lane.landed')).toHaveLength(2);
  const shared = repo.git('show', `devflow/${runId}/main:shared.txt`);
  for (const id of ['A', 'B']) expect(shared).toContain(id);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});

test('after a kill in the middle of a search no tree is tested twice', async () => {
  const daemon = await startDaemon();
  const log = join(daemon.root, 'tests');
  const { runId } = await startTasks(daemon, COLLIDING, [['sh', '-c', `echo run >>'${log}'; ${COLLIDES}`]]);
  const queued = await drive(daemon, runId, { stopAt: ({ type }) => type === 'merge.enqueued' });
  const deaths = killAsItGrows(daemon, runId, { from: queued.length, every: 4, times: 5 });
  const events = await drive(daemon, runId, { patienceMs: 200_000 }).finally(deaths.stop);
  expect(await deaths.count()).toBeGreaterThan(3);
  expect((await ended(daemon, runId)).state).toBe('completed');
  const tested = payloads(events, 'merge.tested');
  const trees = tested.map(({ tree, nth }) => `${tree} ${nth}`);
  expect(new Set(trees).size).toBe(trees.length);
  // The last phase runs the command once more.
  expect(readFileSync(log, 'utf8').match(/run/g)).toHaveLength(trees.length + 1);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
});
