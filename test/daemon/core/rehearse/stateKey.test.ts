import { describe, expect, test } from 'vitest';
import { stateKey } from '../../../../daemon/core/rehearse/stateKey.ts';
import type { CommandRun } from '../../../../daemon/core/run/commandRun.ts';
import type { Evaluation } from '../../../../daemon/core/run/evaluation.ts';
import type { Approval, Assignment, Lane, Phase, Run, Session } from '../../../../daemon/core/run/state.ts';
import { bound, given, sent, started } from '../support/given.ts';
import { SETUP } from '../support/setup.ts';

/** The first of three phases is at work: its agent has the prompt. */
const { run: RUN } = given({ template: 'cycle' }, bound, started, sent);
/** The first phase has ended, and the second is at work. */
const LATER: Run = {
  ...RUN,
  phases: RUN.phases.map((phase, at) => ({
    ...phase,
    state: (['completed', 'running', 'pending'] as const)[at] ?? 'pending',
    assignments: [],
  })),
};

type Change = (run: Run) => Run;
const ofRun =
  (over: Partial<Run>): Change =>
  (run) => ({ ...run, ...over });
const ofPhase =
  (over: Partial<Phase>, at = 0): Change =>
  (run) => ({
    ...run,
    phases: run.phases.map((phase, nth) => (nth === at ? ({ ...phase, ...over } as Phase) : phase)),
  });
const ofAssignment =
  (over: Partial<Assignment>): Change =>
  (run) =>
    ofPhase({ assignments: (run.phases[0]?.assignments ?? []).map((each) => ({ ...each, ...over })) })(run);
const ofSession =
  (over: Partial<Session>): Change =>
  (run) => ({ ...run, sessions: run.sessions.map((each) => ({ ...each, ...over })) });
const all =
  (...changes: Change[]): Change =>
  (run) =>
    changes.reduce((at, change) => change(at), run);

const gate = (over: Partial<Approval> = {}) =>
  ofRun({
    approvals: [
      { gateKey: 'g', phaseKey: 'make', kind: 'gate', state: 'pending', assignment: null, laneId: null, ...over },
    ] as Approval[],
  });
const iteration = (over: Partial<Run['iterations'][number]> = {}) =>
  ofRun({
    iterations: [{ nth: 1, extension: null, startedAt: '', endedAt: null, isResolved: null, issues: [], ...over }],
  });
const evaluation = (over: object = {}) =>
  ofRun({ evaluations: [{ result: null, judgement: null, measurements: [], ...over } as unknown as Evaluation] });
const command = (over: Partial<CommandRun> = {}) =>
  ofRun({
    commands: [
      { phaseId: RUN.phases[0]?.id, attempt: 1, laneId: 'main', index: 0, state: 'started', ...over } as CommandRun,
    ],
  });
const lanes = (state: 'running' | 'ready' | null) =>
  ofRun({ setup: SETUP, lanes: RUN.lanes.map((lane) => ({ ...lane, setup: state && { state } }) as Lane) });
const DECIDED = { head: 'head', tree: 'tree', files: [] } as unknown as Run['decided'];
const WORK = { commit: 'commit' } as Assignment['work'];
const repair = (path: string) => ({ path, errors: [] });

describe('another state', () => {
  test.each<[string, Change, Change]>([
    ['whether a gate is open', gate({ state: 'approved' }), gate()],
    ['which gate is open', gate(), gate({ gateKey: 'other' })],
    ['where one name of a gate ends', gate({ gateKey: 'ab', phaseKey: 'c' }), gate({ gateKey: 'a', phaseKey: 'bc' })],
    ['the lane of a gate', gate({ laneId: 'lane-1' }), gate({ laneId: 'lane-2' })],
    ['whether a decision is not acted on yet', ofRun({ decided: null }), ofRun({ decided: DECIDED })],
    ['whether an iteration left something open', iteration({ isResolved: true }), iteration({ isResolved: false })],
    ['whether a person extended an iteration', iteration(), iteration({ extension: 'Subtract, too.' })],
    ['whether an evaluation has a result', evaluation(), evaluation({ result: { status: 'valid' } })],
    [
      'whether an evaluation is kept',
      evaluation({ judgement: { isKept: true, stop: null } }),
      evaluation({ judgement: { isKept: false, stop: null } }),
    ],
    [
      'why a loop ends',
      evaluation({ judgement: { isKept: true, stop: { reason: 'met' } } }),
      evaluation({ judgement: { isKept: true, stop: { reason: 'plateau' } } }),
    ],
    ['the number of measurements', evaluation(), evaluation({ measurements: [{}] })],
    ['whether a worktree is set up', lanes('running'), lanes('ready')],
    ['whether a set-up has begun', lanes(null), lanes('running')],
    ['the state of the phase at work', ofPhase({ state: 'awaiting_artifact' }), ofPhase({ state: 'validating' })],
    ['the gates that the phase at work has passed', ofPhase({ gatesPassed: [] }), ofPhase({ gatesPassed: ['g'] })],
    ['whether a person wants changes', ofPhase({ changeRequest: null }), ofPhase({ changeRequest: 'Add.' })],
    ['the state of a command', command(), command({ state: 'failed' })],
    ['the lane of a command', command(), command({ laneId: 'lane-1' })],
    ['where the lane of a command ends', command({ laneId: 'l1', index: 2 }), command({ laneId: 'l', index: 12 })],
    [
      'whether ended work is committed',
      ofAssignment({ status: 'validated', work: null }),
      ofAssignment({ status: 'validated', work: WORK }),
    ],
    ['whether an artifact is repaired', ofAssignment({ repair: null }), ofAssignment({ repair: repair('a') })],
    [
      'which of two counts is which',
      all(ofAssignment({ errors: 1 }), ofSession({ recoveryAttempts: 12 })),
      all(ofAssignment({ errors: 11 }), ofSession({ recoveryAttempts: 2 })),
    ],
  ])('has another key: %s', (_, one, other) => {
    expect(stateKey(one(RUN))).not.toBe(stateKey(other(RUN)));
  });

  test('has another key: the end of a phase before', () => {
    expect(stateKey(ofPhase({ state: 'skipped' })(LATER))).not.toBe(stateKey(LATER));
  });
});

describe('the same state', () => {
  test.each<[string, Change, Change]>([
    ['the words of an extension', iteration({ extension: 'Add.' }), iteration({ extension: 'Subtract.' })],
    ['the words of a wish', ofPhase({ changeRequest: 'Add.' }), ofPhase({ changeRequest: 'Subtract.' })],
    ['what is repaired', ofAssignment({ repair: repair('a') }), ofAssignment({ repair: repair('b') })],
    ['a command of another phase', command({ phaseId: 'x' }), command({ phaseId: 'x', state: 'failed' })],
    ['a command of an earlier attempt', command({ attempt: 0 }), command({ attempt: 0, state: 'failed' })],
  ])('has the same key: %s', (_, one, other) => {
    expect(stateKey(one(RUN))).toBe(stateKey(other(RUN)));
  });

  test('has the same key: gates that a phase before has passed', () => {
    expect(stateKey(ofPhase({ gatesPassed: ['g'] })(LATER))).toBe(stateKey(LATER));
  });
});

test('an assignment is part of the key before its agent has a session', () => {
  expect(stateKey({ ...RUN, sessions: [] })).toContain('implementer prompted');
});
