import { describe, expect, test } from 'vitest';
import { answersPath } from '../../../../daemon/core/comments/answersAsked.ts';
import { commentState } from '../../../../daemon/core/comments/commentState.ts';
import { commentViews } from '../../../../daemon/core/comments/commentViews.ts';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import type { RunComment } from '../../../../daemon/core/run/comment.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Assignment, Phase, PhaseOf, Run } from '../../../../daemon/core/run/state.ts';
import type { CommentAnswer } from '../../../../schemas/comments/comment.ts';
import { shownHash } from '../../../../schemas/gates/shownHash.ts';
import {
  abort,
  decision,
  firstPhaseDone,
  given,
  type Input,
  invalid,
  now,
  phaseDone,
  recovered,
  sent,
  timedOut,
  valid,
} from '../support/given.ts';
import { goesWell, isAsked, redMerge, until, untilEnd } from '../support/unattended.ts';
import { newComment, requestWith } from './givenComments.ts';

const question = newComment({
  path: null,
  line: null,
  endLine: null,
  quote: '',
  kind: 'question',
  text: 'Is it fast?',
});
const specified = () => given({ template: 'development' }, ...firstPhaseDone);
const asked = () => specified().on(requestWith([newComment({ text: 'Shorter.' }), question], 'Two things.'));
const carriersOf = (run: Run) =>
  run.phases.flatMap(({ assignments }) => assignments.filter(({ comments }) => comments.includes('c1')));
const statesOf = (run: Run) => run.comments.map((comment) => commentState(run, comment));
const envelopesOf = (run: Run) =>
  decide(run).flatMap((effect) => (effect.type === 'sendPrompt' ? [effect.envelope] : []));
const promptOf = (run: Run) => envelopesOf(run)[0];

/** The same decision with something else. */
const withMore =
  (input: Input, more: object): Input =>
  (run) =>
    ({ ...now({ run }, input), ...more }) as Signal;

/** The agent writes a valid artifact with these answers. */
const answering =
  (answers: CommentAnswer[]): Input =>
  (run) => {
    const found = now({ run }, valid);
    return found.type === 'artifactFound' && found.verdict.valid
      ? { ...found, verdict: { ...found.verdict, answers } }
      : found;
  };

describe('a request for changes with comments', () => {
  test('is one decision that records them with their ids', () => {
    const story = asked().records('approval.resolved', 'phase.started');
    const [resolved, restarted] = story.latest;
    expect(resolved?.payload).toMatchObject({
      comment: 'Two things.',
      comments: [
        { id: 'c1', path: 'src/a.ts', line: 3, text: 'Shorter.' },
        { id: 'c2', path: null, kind: 'question' },
      ],
    });
    expect(restarted?.payload).toMatchObject({ changeRequest: expect.stringContaining('Two things.\n\nComments on') });
  });

  test('asks the agent for an answer to each, beside the artifact', () => {
    const { run } = asked();
    const prompt = promptOf(run);
    expect(prompt?.instructions).toContain('c1: a change of src/a.ts, lines 3-4\nIt reads:\n| three();\n| four();\n');
    expect(prompt?.instructions).toContain('c2: a question about the whole\nThe comment:\n| Is it fast?');
    expect(prompt?.instructions).toContain('Comments: c1, c2\n');
    const path = answersPath(prompt?.expectedArtifact ?? '');
    expect(prompt?.instructions).toContain(`Answers: ${path}\n`);
    const waiting = given({ template: 'development' }, ...firstPhaseDone, requestWith([newComment()]), sent).run;
    expect(decide(waiting)).toMatchObject([{ type: 'awaitArtifact', answers: { comments: ['c1'] } }]);
  });

  test('names each comment once, also where the instructions have a place for the request', () => {
    const { instructions = '' } = promptOf(asked().run) ?? {};
    expect(instructions.split('c1: a change of').length).toBe(2);
  });

  test('is answered with the artifact, and the answers stay', () => {
    const answers: CommentAnswer[] = [
      { id: 'c1', action: 'disputed', note: 'It is short.' },
      { id: 'c2', action: 'answered', note: 'Yes.' },
    ];
    const { run } = asked().on(sent, answering(answers));
    expect(statesOf(run).map(({ state }) => state)).toEqual(['answered', 'answered']);
    expect(commentViews(run)[0]?.answers).toMatchObject([
      { phaseKey: 'spec', assignment: 'planner', action: 'disputed', note: 'It is short.' },
    ]);
    const later = untilEnd(given({ template: 'development' }, ...firstPhaseDone).on(requestWith([newComment()])));
    expect(later.run.comments).toHaveLength(1);
  });

  test('is asked again after an invalid artifact, in the same words', () => {
    const story = asked().on(sent, invalid);
    const { instructions = '' } = promptOf(story.run) ?? {};
    expect(instructions).toContain('Comments: c1, c2\n');
    expect(instructions).toContain('is not valid:');
    expect(statesOf(story.run).map(({ state }) => state)).toEqual(['open', 'open']);
  });

  test('is named again by a reminder, with the file for the answers that counts now', () => {
    const late = asked().on(sent, timedOut, recovered);
    const { instructions = '', expectedArtifact = '' } = promptOf(late.run) ?? {};
    expect(instructions).toMatch(/^The file that this phase expects is still missing/);
    expect(instructions).toContain(`\nComments: c1, c2\nAnswers: ${answersPath(expectedArtifact)}\n`);
    const waiting = decide(late.on(sent).run);
    expect(waiting).toMatchObject([{ type: 'awaitArtifact', answers: { path: answersPath(expectedArtifact) } }]);
    const answered = specified().on(decision('request_changes', 'Shorter.'), sent, timedOut, recovered);
    expect(promptOf(answered.run)?.instructions).not.toContain('Comments: ');
  });

  test('keeps its comments when a person asks for something else after a failure', () => {
    const lost = asked()
      .on(sent, invalid, sent, invalid)
      .to({ approvals: { recovery: 'pending' } });
    const again = lost.on(decision('request_changes', 'Try otherwise.', 'token 2'));
    const { instructions = '' } = promptOf(again.run) ?? {};
    expect(instructions).toContain('Try otherwise.');
    expect(instructions).toContain('c1: a change of src/a.ts');
    expect(statesOf(again.on(sent, valid).run).map(({ state }) => state)).toEqual(['answered', 'answered']);
  });

  test('is not asked again once it is answered', () => {
    const again = asked()
      .on(...phaseDone)
      .on(requestWith([newComment({ text: 'Longer.' })], null, 'token 2'));
    const { instructions = '' } = promptOf(again.run) ?? {};
    expect(instructions).toContain('Comments: c3\n');
    expect(instructions).not.toContain('c1: a change');
  });

  test('asks each agent of its phase, but only the author about a document', () => {
    const read = until(given({ template: 'threeReaders' }), isAsked('spec_approved'));
    const artifact = read.run.artifacts.find(({ roleId }) => roleId === 'reader#1')?.hash ?? '';
    const about = newComment({ path: null, line: null, endLine: null, quote: '', artifact, pointer: '/title' });
    const { run } = read.on(requestWith([newComment(), about]));
    const asked = run.phases[0]?.assignments.map(({ key, comments }) => `${key}: ${comments}`);
    expect(asked).toEqual(['reader#0: c1', 'reader#1: c1,c2', 'reader#2: c1']);
    expect(envelopesOf(run)[1]?.instructions).toContain('c2: a change of dev/spec@1 at /title');
  });

  test('has its ids from the run, so they differ at a later gate', () => {
    const planned = asked().on(...phaseDone, decision('approve', null, 'token 2'), ...phaseDone);
    const again = planned.on(requestWith([newComment()], null, 'token 3'));
    expect(again.run.comments.map(({ id, gateKey }) => `${id} ${gateKey}`)).toEqual([
      'c1 spec_approved',
      'c2 spec_approved',
      'c3 plan_approved',
    ]);
  });
});

describe('a comment without an answer says why', () => {
  test('if the run ends first', () => {
    const { run } = asked().on(abort);
    expect(statesOf(run)[0]).toEqual({ state: 'unanswered', reason: 'The run ended first.' });
  });

  test('if a person leaves the result as it is', () => {
    const wanting = (run: Run) => requestWith([newComment()], null, `wanted ${run.lastSeq}`)(run);
    let story = until(given({ template: 'cycle' }), isAsked('cycle_accepted'));
    while (!isAsked('iterations_exhausted')(story.on(wanting).run)) {
      story = until(story.on(wanting), isAsked('cycle_accepted'));
    }
    const beyond = story.on(wanting);
    expect(statesOf(beyond.run).at(-1)).toEqual({ state: 'open', reason: null });
    const left = beyond.on(decision('approve', null, 'enough'));
    expect(statesOf(left.run).at(-1)).toEqual({ state: 'unanswered', reason: 'Phase make ended without it.' });
  });

  test('if its lane is abandoned', () => {
    const story = until(given({ template: 'lanes' }), isAsked('changes_approved'));
    const { run } = until(story.on(requestWith([newComment()])), ({ phases }) =>
      phases.some(({ assignments }) => assignments.some(({ comments }) => comments.length > 0)),
    );
    const lanes = run.lanes.map((lane) =>
      lane === run.lanes.at(-1) ? { ...lane, state: 'abandoned' as const } : lane,
    );
    expect(statesOf(run)[0]?.state).toBe('open');
    expect(statesOf({ ...run, lanes })[0]).toEqual({
      state: 'unanswered',
      reason: `${lanes.at(-1)?.id} was abandoned.`,
    });
  });

  test('only as long as nothing else is asked: the newest task in a lane that goes on counts', () => {
    const story = until(given({ template: 'lanes' }), isAsked('changes_approved'));
    const { run } = until(story.on(requestWith([newComment()])), (at) => carriersOf(at).length > 0);
    const [first] = carriersOf(run) as [Assignment];
    const phase = phasesOf('lanes', run)[0] as PhaseOf<'lanes'>;
    const [task] = phase.dag?.tasks.slice(-1) ?? [];
    const [lane] = run.lanes.slice(-1);
    if (!phase.dag || !task || !lane) throw new Error('no task was begun');
    const { dag } = phase;
    const lanes = [...run.lanes.slice(0, -1), { ...lane, state: 'abandoned' as const }, { ...lane, id: 'lane-9' }];
    const at = (more: Partial<PhaseOf<'lanes'>>, answers: RunComment['answers'] = []): Run => ({
      ...run,
      lanes,
      phases: run.phases.map((each) => (each.id === phase.id ? ({ ...each, ...more } as Phase) : each)),
      comments: run.comments.map((comment) => ({ ...comment, answers })),
    });
    const again = { ...first, key: 'changes-3', laneId: 'lane-9' };
    const waiting = {
      ...dag,
      tasks: [...dag.tasks, { ...task, id: again.key, laneId: null, state: 'waiting' as const }],
    };
    const both = { assignments: [...phase.assignments, again] };
    const answer = { assignment: again.key, action: 'fixed' as const, note: '', at: run.updatedAt };
    expect(statesOf(at({}))).toEqual([{ state: 'unanswered', reason: `${lane.id} was abandoned.` }]);
    expect(statesOf(at({ dag: waiting }))).toEqual([{ state: 'open', reason: null }]);
    expect(statesOf(at(both))).toEqual([{ state: 'open', reason: null }]);
    expect(statesOf(at(both, [answer]))).toEqual([{ state: 'answered', reason: null }]);
    // Whoever is asked again later stands behind, whatever else was tried before.
    const reopened = { assignments: [again, ...phase.assignments] };
    expect(statesOf({ ...at(reopened), lanes: run.lanes })).toEqual([{ state: 'open', reason: null }]);
  });

  test('if its fix is lost with a lane, until another task fixes it', () => {
    const answers: CommentAnswer[] = [
      { id: 'c1', action: 'fixed', note: '' },
      { id: 'c2', action: 'answered', note: 'Yes.' },
    ];
    const nobodyRepairs: Input = (run) => {
      const isAsking = decide(run).some((effect) => effect.type === 'awaitArtifact' && effect.answers);
      return redMerge(run) ?? now({ run }, isAsking ? answering(answers) : goesWell);
    };
    const wanted = until(given({ template: 'lanes' }), isAsked('changes_approved')).on(
      requestWith([newComment({ text: 'Shorter.' }), question]),
    );
    const failed = until(wanted, isAsked('merge_failed'), nobodyRepairs);
    expect(statesOf(failed.run).map(({ state }) => state)).toEqual(['answered', 'answered']);
    const rejected = failed.on(decision('reject', 'Leave it.', 'token 2'));
    const { run } = until(rejected, isAsked('changes_approved'));
    const [answer] = commentViews(run)[0]?.answers ?? [];
    expect(answer).toMatchObject({ assignment: 'changes-2', action: 'fixed' });
    expect(statesOf(run)).toEqual([
      { state: 'unanswered', reason: expect.stringMatching(/^Its fix is lost with lane-\d+\.$/) },
      // An answer to a question stands, whatever became of the work.
      { state: 'answered', reason: null },
    ]);
    const again = until(rejected, isAsked('changes_approved')).on(
      requestWith([newComment({ text: 'Once more.' })], null, 'token 3'),
    );
    const { instructions = '' } = promptOf(until(again, (at) => promptOf(at) !== undefined).run) ?? {};
    expect(instructions).toContain('Comments: c1, c3\n');
    expect(instructions).toContain('c1: a change of src/a.ts');
    const end = untilEnd(again);
    expect(statesOf(end.run).map(({ state }) => state)).toEqual(['answered', 'answered', 'answered']);
    expect(end.run.comments[0]?.answers.map(({ assignment }) => assignment)).toEqual(['changes-2', 'changes-3']);
  });

  test('if one of several agents that are asked at once has not answered', () => {
    const read = until(given({ template: 'threeReaders' }), isAsked('spec_approved'));
    const { run } = read.on(requestWith([newComment()]), sent, valid);
    expect(run.comments[0]?.answers).toHaveLength(1);
    expect(statesOf(run)).toEqual([{ state: 'open', reason: null }]);
  });

  test('if its phase is skipped', () => {
    const { run } = asked();
    const phases = run.phases.map((phase) => ({ ...phase, state: 'skipped' as const, assignments: [] }));
    expect(statesOf({ ...run, phases })[0]).toEqual({ state: 'unanswered', reason: 'Phase spec was skipped.' });
  });
});

describe('a decision is refused', () => {
  test('with comments that approve', () => {
    const story = specified();
    story.refuses(withMore(requestWith([newComment()]), { action: 'approve' }), 'usage');
  });

  test('at a gate where no agent answers them', () => {
    const lost = specified().on(decision('request_changes', 'Shorter.'), sent, invalid, sent, invalid);
    lost.to({ approvals: { recovery: 'pending' } }).refuses(requestWith([newComment()], null, 'token 2'), 'usage');
  });

  test('for what was shown before', () => {
    const story = specified();
    const shown = shownHash({ artifactHash: 'other', subject: {} });
    story.refuses(withMore(decision('approve'), { shown }), 'changes_under_decision');
    const [right] = openGates(story.run);
    const same = right && shownHash(right);
    const decided = story.on(withMore(decision('approve'), { shown: same }));
    expect(decided.latest[0]?.payload).toMatchObject({ shown: same });
  });

  test('and names each comment that is not where the work is', () => {
    const story = specified();
    const placed = [
      { place: 'same' as const, quote: 'three();', anchor: null },
      { place: 'moved' as const, line: 9, reason: 'The quoted lines stand at line 9.' },
    ];
    const two = [newComment(), newComment({ line: 7, endLine: 8 })];
    story.refuses(withMore(requestWith(two), { placed }), 'comments_misplaced');
  });

  test('with more text than a prompt takes', () => {
    const long = Array.from({ length: 20 }, () => newComment({ text: 'x'.repeat(4000) }));
    specified().refuses(requestWith(long), 'usage');
  });

  test('with places that do not fit together', () => {
    specified().refuses(requestWith([newComment({ line: 5, endLine: 2 })]), 'comments_misplaced');
  });
});

test('a repeated token gives the recorded decision, whatever comments it has', () => {
  const story = asked();
  const approvalRequestId = story.run.approvals[0]?.id ?? '';
  const again = story.on(withMore(requestWith([newComment({ text: 'Other.' })]), { approvalRequestId }));
  expect(again.latest).toEqual([]);
  expect(again.run.comments).toHaveLength(2);
});

test('the sessions of older runs answer comments, too', () => {
  const old = given({ template: 'development', behaviour: 1 }, ...firstPhaseDone).on(requestWith([newComment()]));
  const { run } = old.on(sent, valid);
  expect(statesOf(run)[0]?.state).toBe('answered');
});
