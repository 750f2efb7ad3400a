import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import { startDaemon } from '../../helpers/daemon.ts';
import { drive } from '../../helpers/drive.ts';
import { evaluated, patient, startMeasured } from '../measuredRuns.ts';
import { proveEnd } from '../support.ts';
import { killAtPoints } from './killing.ts';

const POINTS: CrashPoint[] = [
  'runCommand.before_start',
  'runCommand.after_end',
  'inspectEvaluation.after_read',
  'readMeasurement.before_read',
  'restoreBest.before_commit',
  'restoreBest.after_commit',
];

test('killed at every step of an evaluation, nothing is measured or restored twice', async () => {
  const own = await startDaemon();
  const { runId, ran, repo } = await startMeasured(own, { values: { base: 1, 1: 1.5, 2: 1.2, 3: 2.5 } });
  const killing = await killAtPoints(own, POINTS);
  await drive(own, runId, patient);
  const { deaths, unvisited } = await killing.stop();
  expect(unvisited).toEqual([]);
  expect(deaths).toBeGreaterThan(20);
  const { run, events } = await proveEnd(own, runId, 'completed');
  expect(ran()).toEqual(['base all', 'base all', '1 all', '1 all', '2 all', '3 all', '3 all']);
  expect(evaluated(events).at(-1)).toEqual([true, 'met']);
  const subjects = repo.git('log', '--format=%s', `main..${run.branch}`).split('\n');
  expect(subjects.filter((subject) => subject.includes('go back'))).toEqual(['devflow: go back to iteration 1']);
});
