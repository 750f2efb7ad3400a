import { expect, test } from 'vitest';
import { commitOf } from '../../../../daemon/engine/local/commitOf.ts';
import { done, firstPhaseDone, given } from '../../core/support/given.ts';
import { message, takenBack } from '../../core/support/messages.ts';
import { runWithLanes } from './support/runWithLanes.ts';

test('the end of a lane is a change of its session', () => {
  const before = runWithLanes(['queued', 'open']);
  const after = { ...before, lanes: runWithLanes(['landed', 'open']).lanes };
  const { sessions } = commitOf(before, { run: after, events: [] }).changes;
  expect(sessions).toEqual([{ sessionId: 'agent of lane-1', roleId: expect.any(String), state: 'ENDED' }]);
  expect(commitOf(after, { run: { ...after, lanes: [...after.lanes] }, events: [] }).changes.sessions).toEqual([]);
});

test('the gates of a run that nobody knew: the open one is new, the decided one is not', () => {
  const { run } = given({}, ...firstPhaseDone);
  const [gate] = run.approvals;
  expect(gate?.state).toBe('pending');
  const decided = run.approvals.map((approval) => ({ ...approval, id: 'decided', state: 'approved' as const }));
  const met = { ...run, approvals: [...decided, ...run.approvals] };
  const { approvals } = commitOf(undefined, { run: met, events: [] }).changes;
  expect(approvals.map(({ approvalId, created }) => ({ approvalId, created }))).toEqual([
    { approvalId: 'decided', created: false },
    { approvalId: gate?.id, created: true },
  ]);
});

test('a gate that a rule left to the person is a change of its run', () => {
  const asked = given({ autoGates: [{ gate: 'spec_approved', if: ['no_open_questions'] }] }, ...firstPhaseDone);
  const left = asked.on(done('checkRule', 1));
  const { run } = commitOf(asked.run, { run: left.run, events: [...left.latest] }).changes;
  expect(run).toEqual({ state: 'awaiting_approval', currentPhase: 'spec' });
});

test('a new or changed message is a change for its session, once', () => {
  const before = given({}, ...firstPhaseDone);
  const written = before.on(message('planner'), message('planner', 'm2'));
  const sessionId = written.run.messages[0]?.sessionId;
  const changed = (from: typeof before, to: typeof before) => commitOf(from.run, { run: to.run, events: [] }).changes;
  expect(changed(before, written).messages).toEqual([sessionId]);
  expect(changed(written, written.on(takenBack())).messages).toEqual([sessionId]);
  expect(changed(written, written).messages).toEqual([]);
});
