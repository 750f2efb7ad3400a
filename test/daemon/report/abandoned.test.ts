import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommandRun } from '../../../daemon/core/run/commandRun.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { composeReport } from '../../../daemon/report/compose.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { commit, givenLanes, lane, task } from '../api/runs/lanes/givenLanes.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });

const tasks = [
  task('one', { laneId: 'lane-1', state: 'landed' }),
  task('two', { laneId: 'lane-2', state: 'abandoned' }),
  task('three', { dependsOn: ['two'], state: 'abandoned' }),
];
const rejected = { state: 'abandoned', endedBecause: 'rejected at the gate merge_failed: No.' } as const;
const lanes = [lane('lane-1', { state: 'landed' }), lane('lane-2', { ...rejected, head: commit('two') })];

/** A completed run in lanes: one landed, one was rejected. */
function givenEnded(over: Partial<Run> = {}): Run {
  const run = givenLanes({ tasks }, { state: 'completed', endedAt: '2026-01-02T03:04:13.000Z' });
  const phases = run.phases.map((phase) => ({ ...phase, state: 'completed' as const }));
  return { ...run, phases, approvals: [], lanes: [...run.lanes, ...lanes], ...over };
}

function check(id: string, over: Partial<CommandRun> = {}): CommandRun {
  const files = { stdoutPath: `/work/${id}.out`, stderrPath: `/work/${id}.err`, cwd: '/work' };
  const times = { startedAt: '2026-01-02T03:04:05.000Z', endedAt: '2026-01-02T03:04:06.000Z', timeoutMs: 1000 };
  const ended = { state: 'failed', exitCode: 1, reason: 'exit 1' } as const;
  const place = { phaseId: 'phase-2', laneId: 'lane-2', turn: 1, attempt: 1, index: 0, kind: 'test' } as const;
  return { id, argv: ['npm', 'test'], ...place, ...files, ...times, ...ended, ...over };
}

const compose = (run: Run) => composeReport({ run, events: [], findings: [] });
const sentences = (run: Run, kind: string) =>
  compose(run)
    .json.unresolved.filter((each) => each.kind === kind)
    .map(({ sentence }) => sentence);

describe('the report of a run with abandoned tasks', () => {
  test('names each task that was not done', () => {
    expect(sentences(givenEnded(), 'task_not_done')).toEqual([
      'Task two (The two) was not done: lane-2 ended: rejected at the gate merge_failed: No. Its work so far is on the branch devflow/run/lane-2.',
      'Task three (The three) was not done: it builds on two.',
    ]);
    const { json, markdown } = compose(givenEnded());
    expect(json).toMatchObject({ tasks: 3, notDone: [{ taskId: 'two' }, { taskId: 'three' }] });
    expect(markdown).toMatch(/^# Completed without 2 of 3 tasks: /);
    expect(registry.validateArtifact('common/final-report@1', JSON.parse(JSON.stringify(json)))).toEqual({ ok: true });
  });

  test('does not say that a rejected lane was approved', () => {
    expect(sentences(givenEnded({ commands: [check('1')] }), 'command_failed')).toEqual([
      'npm test failed (exit code 1) in lane-2, which was abandoned. Its output is in /work/1.err.',
    ]);
  });

  test('leaves out a check that a later run or turn passed', () => {
    const passed = { state: 'completed', exitCode: 0, reason: 'exit 0' } as const;
    const later = givenEnded({ commands: [check('1'), check('2', { turn: 2, ...passed })] });
    expect(sentences(later, 'command_failed')).toEqual([]);
    const again = givenEnded({ commands: [check('1'), check('2', { index: 1, ...passed })] });
    expect(sentences(again, 'command_failed')).toEqual([]);
  });

  test('names a check that failed once and passed when it ran again, also of a lane that landed', () => {
    const passed = { state: 'completed', exitCode: 0, reason: 'exit 0', index: 1 } as const;
    const commands = [check('1', { laneId: 'lane-1' }), check('2', { laneId: 'lane-1', ...passed })];
    expect(sentences(givenEnded({ commands }), 'check_flaky')).toEqual([
      'npm test failed once in lane-1 and passed when it ran again.',
    ]);
    const repaired = [check('1'), check('2', { ...passed, turn: 2 })];
    expect(sentences(givenEnded({ commands: repaired }), 'check_flaky')).toEqual([]);
  });

  test('leaves out the failed checks of a lane that landed', () => {
    expect(sentences(givenEnded({ commands: [check('1', { laneId: 'lane-1' })] }), 'command_failed')).toEqual([]);
  });

  test('still names the failed commands of the phase itself', () => {
    const own = check('1', { laneId: 'main', turn: undefined });
    expect(sentences(givenEnded({ commands: [own] }), 'command_failed')).toEqual([
      'npm test failed (exit code 1) and was approved anyway. Its output is in /work/1.err.',
    ]);
  });
});
