import { expect, test } from 'vitest';
import { readJournal } from '../../fixtures/scripted/journal.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { daemonWithPanes, ROLES } from '../../helpers/paneDaemon.ts';
import { proveEnd } from '../support.ts';

/** The events at which the daemon is killed: starts, deliveries, waits, gates. */
const KILLED_AT = [2, 4, 6, 8, 11, 15, 18, 24, 27, 31];

function artifactsOf(detail: { artifacts: { phaseKey: string | null; attempt: number | null; hash: string }[] }) {
  return detail.artifacts.map(({ phaseKey, attempt, hash }) => ({ phaseKey, attempt, hash }));
}

test('a run whose daemon is killed ten times brings the same artifacts and sends no prompt twice', async () => {
  const { daemon, env, configDir } = await daemonWithPanes();
  await daemon.start(env);
  const repo = daemon.repo();
  const request = { repo: repo.dir, backend: ROLES, requirements: 'Make it better.' };
  const calm = await startRun(daemon, request);
  await drive(daemon, calm);
  await proveEnd(daemon, calm, 'completed');
  const undisturbed = artifactsOf(await daemon.call('run.get', { runId: calm }));
  expect(undisturbed).toHaveLength(3);

  const runId = await startRun(daemon, request);
  for (const seq of KILLED_AT) {
    await drive(daemon, runId, { stopAt: (event) => event.seq >= seq });
    await daemon.kill('SIGKILL');
    await daemon.start(env);
  }
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(artifactsOf(await daemon.call('run.get', { runId }))).toEqual(undisturbed);
  const prompts = (await readJournal(configDir)).filter(({ text }) => text?.includes(`Run: ${runId}`));
  expect(prompts.map(({ merged }) => merged)).toEqual([false, false, false]);
  expect(new Set(prompts.flatMap(({ dedupKeys }) => dedupKeys)).size).toBe(3);
});
