import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive } from '../../helpers/drive.ts';
import { checkOf, sentOnce, startFlow, whole } from '../contractFlows.ts';
import { proveEnd, scenario } from '../support.ts';
import { killAtPoints, killInEachPhase } from './killing.ts';

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
    const runId = await startFlow(own, template, words, repo.dir);
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
