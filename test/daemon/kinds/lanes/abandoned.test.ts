import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { reopenLane } from '../../../../daemon/core/reopenLane.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { overlapOrder } from '../../../../daemon/kinds/lanes/overlapGate.ts';
import type { LanesPhase } from '../../../../daemon/kinds/lanes/plan.ts';
import { questionOf } from '../../../../daemon/sheet/question.ts';
import { decision, done, failed, given, type Input, pause, type Story } from '../../core/support/given.ts';
import { TEMPLATES } from '../../core/support/templates.ts';
import { goesWell, isAsked, redMerge, until, untilDue, untilEnd } from '../../core/support/unattended.ts';

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
    const asked = until(story, isAsked('merge_failed'), redFor(laneIds));
    return asked.on(decision('reject', 'Not worth it.', `token ${laneId}`));
  }, start);
  return until(ended, isAsked('changes_approved'));
}

/** The instructions of the prompts that are due. */
const promptsOf = (run: Run) =>
  decide(run).flatMap((effect) => (effect.type === 'sendPrompt' ? [effect.envelope.instructions] : []));

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
  const story = until(given({ template: TEMPLATES.lanes, behaviour: 3 }), isAsked('changes_approved'));
  const gate = gateOf(story, 'changes_approved');
  expect(gate.subject).not.toHaveProperty('notDone');
  expect(questionOf(story.run, gate)).toBe('Accept the result of "Title of build" (build), attempt 1?');
});

describe('a lane that a person takes up again', () => {
  const reopen = (laneId: string, comment: string | null = null) => ({ type: 'reopenLane', laneId, comment }) as const;
  const dagIn = ({ run }: Story) => phasesOf('lanes', run).find(({ key }) => key === 'build')?.dag;
  const states = (story: Story) => new Set(dagIn(story)?.tasks.map(({ state }) => state));
  const expectUniqueKeys = ({ events }: Story) => {
    const keys = events.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  };

  test('lands, and with it the tasks that build on it', () => {
    const again = without('lane-1').on(reopen('lane-1', 'Try it so.'));
    again.records('lane.reopened', 'phase.started', 'task.started');
    expect(promptsOf(untilDue('sendPrompt', again).run)).toContainEqual(
      expect.stringContaining('takes this work up again: Try it so.'),
    );
    const end = untilEnd(again);
    expect(end.run.state).toBe('completed');
    expect(states(end)).toEqual(new Set(['landed']));
    expectUniqueKeys(end);
    const gates = end.run.approvals.filter(({ gateKey }) => gateKey === 'changes_approved');
    expect(gates.map(({ state, subject }) => [state, 'notDone' in subject])).toEqual([
      ['aborted', true],
      ['approved', false],
    ]);
  });

  test('goes on in the middle of its phase', () => {
    const start = given({ template: TEMPLATES.lanes, behaviour: 5 });
    const asked = until(start, isAsked('merge_failed'), redFor(['lane-1', 'lane-2']));
    const [gate] = openGates(asked.run);
    const rejected = asked.on(decision('reject', 'No.', 'token 1'));
    const again = rejected.on(reopen(String(gate?.laneId)));
    expect(again.latest[0]?.type).toBe('lane.reopened');
    expect(again.latest.map(({ type }) => type)).not.toContain('phase.started');
    const end = untilEnd(again);
    expect(states(end)).toEqual(new Set(['landed']));
    expectUniqueKeys(end);
  });

  test('can be abandoned and taken up again more than once', () => {
    let story = without('lane-1');
    for (const nth of [2, 3]) {
      const asked = until(story.on(reopen('lane-1')), isAsked('merge_failed'), redFor(['lane-1']));
      const rejected = asked.on(decision('reject', 'Still not.', `token ${nth}`));
      story = until(rejected, isAsked('changes_approved'));
      expect(states(story)).toContain('abandoned');
    }
    const end = untilEnd(story.on(reopen('lane-1')));
    expect(states(end)).toEqual(new Set(['landed']));
    expectUniqueKeys(end);
  });

  test('has its agent go on, with what the person said, where devflow itself had failed', () => {
    const checking = untilDue('runCommand', given({ template: TEMPLATES.lanes, behaviour: 5 }));
    const stuck = checking.on(failed('runCommand', 'disk_full'));
    const ended = stuck.on(decision('reject', 'No.', 'token 1'));
    const again = ended.on(reopen(String(openGates(stuck.run)[0]?.laneId), 'There is space now.'));
    const asked = until(again, (run) => promptsOf(run).some((text) => text.includes('There is space now.')));
    const end = untilEnd(asked);
    expect(states(end)).toEqual(new Set(['landed']));
    expectUniqueKeys(end);
  });

  test('keeps the order of tasks that may write the same files', () => {
    const start = untilDue('findOverlaps', given({ template: TEMPLATES.lanes, behaviour: 5 }));
    const ordered = start.on(done('findOverlaps', 1)).on(decision('approve', null, 'token 0'));
    const orderIn = ({ run }: Story) => overlapOrder(run, phasesOf('lanes', run)[0] as LanesPhase);
    const before = orderIn(ordered);
    expect(before).not.toEqual([]);
    const asked = until(ordered, isAsked('merge_failed'), redFor(['lane-1']));
    const gate = until(asked.on(decision('reject', 'No.', 'token 1')), isAsked('changes_approved'));
    expect(orderIn(gate.on(reopen('lane-1')))).toEqual(before);
  });

  describe('after a person refused its resolution of a conflict', () => {
    const start = given({ template: TEMPLATES.lanes, behaviour: 5 });
    const conflicting = untilDue('testMerge', start).on(done('testMerge', 2));
    const asked = untilDue('commitResolution', conflicting).on(done('commitResolution', 2));
    const laneId = String(gateOf(asked, 'merge_conflict').laneId);
    const ended = asked.on(decision('reject', 'No.', 'token 1'));
    const again = untilDue('prepareLane', ended.on(reopen(laneId, 'Keep the test.')));
    const because = `gate-reopen-${laneId}-1`;

    test('gets main before its agent goes on, whose worktree has the conflict still', () => {
      const merged = again.on(done('prepareLane', 1));
      const { base, head } = merged.run.lanes.find(({ id }) => id === laneId) ?? {};
      const payload = expect.objectContaining({ because, onto: { base, head } });
      expect(merged.events).toContainEqual(expect.objectContaining({ type: 'task.started', payload }));
    });

    test('has its agent resolve the conflict anew, if there is one', () => {
      const conflicts = again.on(done('prepareLane', 0));
      expect(conflicts.latest.map(({ type }) => type)).toEqual(['merge.ejected']);
      const prepared = untilDue('prepareLane', conflicts).on(done('prepareLane', 0));
      const asks = until(prepared, (run) => promptsOf(run).some((text) => text.includes('Keep the test.')));
      const end = untilEnd(asks);
      expect(states(end)).toEqual(new Set(['landed']));
      expectUniqueKeys(end);
    });
  });

  test('is refused in a run of an earlier version, which counts no attempts of tasks', () => {
    const run = { ...without('lane-1').run, behaviour: 2 as const };
    const refused = reopenLane(run, { laneId: 'lane-1', comment: null });
    expect(refused).toMatchObject({
      code: 'state_conflict',
      message: `An earlier version of devflow began run ${run.id}, so lane-1 cannot be taken up again. Start a new run for its tasks.`,
    });
  });

  test('is refused if there is nothing to take up', () => {
    const story = without('lane-1');
    story.refuses(reopen('lane-9'), 'not_found');
    story.refuses(reopen('main'), 'not_found');
    story.refuses(reopen('lane-2'), 'state_conflict');
    story.on(pause).refuses(reopen('lane-1'), 'state_conflict');
    untilEnd(story).refuses(reopen('lane-1'), 'state_conflict');
  });
});
