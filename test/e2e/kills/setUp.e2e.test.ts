import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CRASH_POINTS } from '../../../daemon/system/faults.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../../helpers/drive.ts';
import { installedRepo, startInLanes } from '../setUpRuns.ts';
import { payloads, proveEnd } from '../support.ts';
import { killAsItGrows, killAtPoints } from './killing.ts';

const OF_SETUPS = CRASH_POINTS.filter((point) => /^(placeWorktree|finishSetup|runCommand|testMerge)\./.test(point));

test('a kill at each crash point of a set-up changes nothing, and no command runs twice', async () => {
  const daemon = await startDaemon();
  const { repo, ran } = installedRepo(daemon);
  const killing = await killAtPoints(daemon, OF_SETUPS);
  const runId = await startInLanes(daemon, repo);
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { deaths, unvisited } = await killing.stop();
  expect(unvisited).toEqual([]);
  expect(deaths).toBeGreaterThan(15);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(ran().sort()).toEqual(['checks 1', 'lane-1 1', 'lane-2 1', 'main 1']);
  expect(
    payloads(events, 'worktree.set_up')
      .map(({ laneId, ok }) => `${laneId} ${ok}`)
      .sort(),
  ).toEqual(['lane-1 true', 'lane-2 true', 'main true']);
  expect(payloads(events, 'worktree.outdated')).toEqual([]);
});

test('a run whose daemon is killed again and again keeps the ports of its lanes', async () => {
  const daemon = await startDaemon();
  const { repo } = installedRepo(daemon);
  const runId = await startInLanes(daemon, repo);
  const killing = killAsItGrows(daemon, runId, { every: 5, times: 12 });
  await drive(daemon, runId, { patienceMs: 200_000 }).finally(killing.stop);
  await killing.count();
  const { events } = await proveEnd(daemon, runId, 'completed');
  const placed = payloads(events, 'worktree.placed');
  expect(placed).toHaveLength(3);
  expect(new Set(placed.map(({ ports }) => (ports as { PORT: number }).PORT)).size).toBe(3);
});

test('a set-up that fails runs once and asks once, however often the daemon is killed', async () => {
  const daemon = await startDaemon();
  const tries = join(daemon.root, 'tries');
  const script = `echo x >>'${tries}'; test "$(grep -c . '${tries}')" -gt 1 || exit 3; mkdir node_modules`;
  const { repo } = installedRepo(daemon, { setup: [['sh', '-c', script]] });
  const backend = { planner: 'fake', implementer: 'fake' } as const;
  const extra = { verify: [['test', '-d', 'node_modules']] };
  const runId = await startRun(daemon, { repo: repo.dir, backend, extra, allowSetup: true });
  const killing = killAsItGrows(daemon, runId, { times: 15 });
  const asked: Asked[] = [];
  const decide = (gate: Asked) => {
    if (gate.gateKey === 'setup_failed') asked.push(gate);
    return { action: 'approve' } as const;
  };
  await drive(daemon, runId, { patienceMs: 200_000, decide }).finally(killing.stop);
  await killing.count();
  await proveEnd(daemon, runId, 'completed');
  expect(asked.map(({ subject }) => subject.exitCode)).toEqual([3]);
  expect(readFileSync(tries, 'utf8')).toBe('x\nx\n');
});
