import { describe, expect, test } from 'vitest';
import { questionOf } from '../../../../../daemon/api/approvals/question.ts';
import { openGates } from '../../../../../daemon/engine/core/run/query.ts';
import type { Approval, Run } from '../../../../../daemon/engine/core/run/state.ts';
import { decision, given, type Input, type Story } from '../support/given.ts';
import { TEMPLATES } from '../support/templates.ts';
import { goesWell, redMerge, until } from '../support/unattended.ts';

const isAt = (gateKey: string) => (run: Run) => openGates(run).some((gate) => gate.gateKey === gateKey);
const gateOf = ({ run }: Story, gateKey: string) => openGates(run).find((gate) => gate.gateKey === gateKey) as Approval;

/** The merges of these lanes never pass their checks. */
const redFor =
  (laneIds: readonly string[]): Input =>
  (run) => {
    const red = redMerge(run);
    const isOf = red?.type === 'mergeTested' && red.test.lanes.some(({ laneId }) => laneIds.includes(laneId));
    return isOf ? red : goesWell(run);
  };

/** A run at its last gate, after a person rejected the work of these lanes. */
function without(...laneIds: string[]): Story {
  const start = given({ template: TEMPLATES.lanes, behaviour: 3 });
  const ended = laneIds.reduce((story, laneId) => {
    const asked = until(story, isAt('merge_failed'), redFor(laneIds));
    return asked.on(decision('reject', 'Not worth it.', `token ${laneId}`));
  }, start);
  return until(ended, isAt('changes_approved'));
}

describe('the last gate of a run with abandoned tasks', () => {
  const story = without('lane-1');
  const gate = gateOf(story, 'changes_approved');

  test('names each task that was not done, and why', () => {
    const ended = 'lane-1 ended: rejected at the gate merge_failed: Not worth it.';
    expect(gate.subject.notDone).toEqual([
      { phaseKey: 'build', taskId: 'A', title: 'Title of A', laneId: 'lane-1', why: ended },
      expect.objectContaining({ taskId: 'B' }),
      expect.objectContaining({ taskId: 'C' }),
    ]);
    expect(questionOf(story.run, gate)).toContain(
      `Accept the result of "Title of build" (build), attempt 1, without 3 of 4 tasks? Not done: A Title of A (${ended}), B Title of B (`,
    );
  });

  test('has no artifact of an abandoned lane', () => {
    const artifacts = gate.subject.artifacts as { path: string }[];
    expect(artifacts).toHaveLength(1);
    expect(artifacts[0]?.path).toContain('lane-2');
  });
});

test('the last gate says so if no task was done', () => {
  const story = without('lane-1', 'lane-2');
  expect(questionOf(story.run, gateOf(story, 'changes_approved'))).toMatch(
    /^No task was done\. Accept the result of "Title of build" \(build\), attempt 1\? Not done: A /,
  );
});

test('a run without abandoned tasks asks as before', () => {
  const story = until(given({ template: TEMPLATES.lanes, behaviour: 3 }), isAt('changes_approved'));
  const gate = gateOf(story, 'changes_approved');
  expect(gate.subject).not.toHaveProperty('notDone');
  expect(questionOf(story.run, gate)).toBe('Accept the result of "Title of build" (build), attempt 1?');
});
