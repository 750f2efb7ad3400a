import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { editableAt } from '../../../../daemon/core/edits/editable.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { runTitle } from '../../../../daemon/core/run/title.ts';
import { shownHash } from '../../../../schemas/gates/shownHash.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import { approve, decision, dies, firstPhaseDone, given, pause, phaseDone, resume, sent } from '../support/given.ts';
import { isAsked, until } from '../support/unattended.ts';
import { editing, shownAt } from './givenEdit.ts';

const atGate = () => given({ template: 'development' }, ...firstPhaseDone);
const gateOf = (run: Run) => {
  const [gate] = openGates(run);
  if (!gate) throw new TypeError('no gate is open');
  return gate;
};
const HASH = sha256hex('version 1');

test('an edit opens the same gate again, bound to the new bytes, and closes the old one undecided', () => {
  const before = atGate();
  const old = gateOf(before.run);
  const edited = before.on(editing()).records('artifact.edited', 'approval.requested');
  const { id, gateKey, artifactHash, subject, attempt } = gateOf(edited.run);
  expect({ gateKey, artifactHash, attempt }).toEqual({
    gateKey: old.gateKey,
    artifactHash: HASH,
    attempt: old.attempt,
  });
  expect(subject).toMatchObject({ supersedes: [old.id], artifacts: [{ hash: HASH, path: shownAt(before.run).path }] });
  expect(subject.worktree).toEqual(old.subject.worktree);
  expect(id).not.toBe(old.id);
  expect(edited.run.approvals.find((each) => each.id === old.id)).toMatchObject({ state: 'aborted', decision: null });
  expect(shownAt(edited.run).edited).toEqual({ approvalRequestId: old.id, clientToken: 'edit 1' });
  expect(shownHash(gateOf(edited.run))).not.toBe(shownHash(old));
});

test("the next prompt reads the person's version", () => {
  const edited = atGate().on(editing(), approve);
  const [prompt] = decide(edited.run);
  expect(prompt?.type === 'sendPrompt' && prompt.inputs).toMatchObject([{ artifact: { hash: HASH } }]);
  expect(prompt?.type === 'sendPrompt' && prompt.inputs[0]?.artifact.storedPath).toContain(
    `/edited/${HASH.slice(0, 12)}/`,
  );
});

test('who asks for changes of an edited document sends the agent their own version, and no other prompt names it', () => {
  const again = atGate().on(editing(), decision('request_changes', 'Shorter.'));
  const [prompt] = decide(again.run);
  if (prompt?.type !== 'sendPrompt') throw new TypeError('no prompt is due');
  const [input] = prompt.inputs;
  expect(input?.artifact.hash).toBe(HASH);
  expect(prompt.envelope.instructions).toContain(`A person edited what you wrote for this before.`);
  expect(prompt.envelope.instructions).toContain(input?.path);
  const plain = decide(atGate().on(decision('request_changes', 'Shorter.')).run)[0];
  expect(plain?.type === 'sendPrompt' && plain.envelope.instructions).not.toContain('A person edited');
  const written = again.on(...phaseDone, decision('request_changes', 'Again.', 'token 2'));
  const third = decide(written.run)[0];
  expect(third?.type === 'sendPrompt' && third.envelope.instructions).not.toContain('A person edited');
});

test('a repeated token changes nothing, also after the gate was passed', () => {
  const edit = editing()(atGate().run);
  const edited = atGate().on(edit);
  edited.on(edit).records();
  edited.on(approve, edit).records();
});

test('an edit of what the gate does not show any more is refused', () => {
  const edited = atGate().on(editing());
  const stale = { approvalRequestId: gateOf(atGate().run).id };
  edited.refuses(editing({ nth: 2, ...stale }), 'decision_conflict');
  edited.refuses(editing({ nth: 2, replaces: sha256hex('another') }), 'changes_under_decision');
  edited.refuses(editing({ nth: 2, shown: shownHash(gateOf(atGate().run)) }), 'changes_under_decision');
  edited.on(editing({ nth: 2, shown: shownHash(gateOf(edited.run)) })).records('artifact.edited', 'approval.requested');
});

test('a person can edit back and forth, and each time the gate is another one', () => {
  const story = [1, 2, 1, 2, 1].reduce((at, nth, index) => at.on(editing({ nth, clientToken: `t${index}` })), atGate());
  const gates = story.run.approvals.map(({ id }) => id);
  expect(new Set(gates).size).toBe(6);
  expect(story.run.artifacts.filter(({ edited }) => edited)).toHaveLength(2);
  expect(gateOf(story.run).artifactHash).toBe(HASH);
  expect(replay([...story.events])).toEqual(story.run);
});

test('an edit with the bytes that are shown changes nothing', () => {
  atGate()
    .on(editing(), (run: Run) => editing({ nth: 1, clientToken: 'other' })(run))
    .records();
});

test('the title of an edited document is that of the run', () => {
  expect(runTitle(atGate().on(editing({ title: 'Add numbers' })).run)).toBe('Add numbers');
});

test('a paused run takes no edit before it goes on', () => {
  const paused = atGate().on(pause);
  paused.refuses(editing(), 'not_editable');
  paused.on(resume, editing()).records('artifact.edited', 'approval.requested');
});

test('no report of work is edited, and no gate but those of the template takes an edit', () => {
  const made = until(atGate(), isAsked('changes_approved')).run;
  expect(editableAt(made, gateOf(made))).toContain('reports what was done');
  const lost = given({ template: 'development' }, ...firstPhaseDone, approve, sent).on(
    ...Array.from({ length: 4 }, () => dies('planner')),
  );
  expect(editableAt(lost.run, gateOf(lost.run))).toContain('asks about no document');
});

test('a document of a contract is edited in the worktree', () => {
  const flow = until(given({ template: 'pipeline' }), (run) => openGates(run).some(({ kind }) => kind === 'gate'));
  const found = editableAt(flow.run, gateOf(flow.run));
  expect(found).toContain('follows a contract of the repository');
  expect(found).toContain(flow.run.worktreeRoot);
});

test('lanes carry out the tasks of the plan as the person wrote it', () => {
  const planned = until(given({ template: 'lanes' }), (run) =>
    openGates(run).some(({ kind, laneId }) => kind === 'gate' && laneId === null),
  );
  const { data } = shownAt(planned.run) as { data: { tasks: { id: string }[] } };
  const less = { ...data, tasks: data.tasks.filter(({ id }) => id === 'D') };
  const edited = until(planned.on(editing({ data: less }), approve), (run) => run.lanes.length > 1);
  const tasks = edited.run.phases.flatMap((phase) => (phase.kind === 'lanes' ? (phase.dag?.tasks ?? []) : []));
  expect(tasks.map(({ id }) => id)).toEqual(['D']);
});

test('every version of behaviour takes an edit where its gate shows a document', () => {
  for (const behaviour of [1, 2, 3, 4, 5, 6, 7] as const) {
    const story = given({ template: 'development', behaviour }, ...firstPhaseDone).on(editing());
    story.records('artifact.edited', 'approval.requested');
    const next = story.on(approve);
    expect([behaviour, next.run.phases[0]?.state]).toEqual([behaviour, 'completed']);
  }
});
