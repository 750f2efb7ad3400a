import { describe, expect, it } from 'vitest';
import {
  ApprovalState,
  FindingSeverity,
  FindingState,
  LaneState,
  RunPhaseState,
  RunState,
  ShownSessionState,
  StallCause,
  TaskState,
} from '../../schemas/enums.ts';
import { QueuePlace } from '../../schemas/rpc/views/lanes.ts';
import { MessageState } from '../../schemas/rpc/views/message.ts';
import { AssignmentState } from '../../schemas/rpc/views/run.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../schemas/states/findings.ts';
import { GATE_STATES, gateState } from '../../schemas/states/gate.ts';
import { STATE_KINDS } from '../../schemas/states/index.ts';
import { ASSIGNMENT_STATES, LANE_STATES, QUEUE_PLACES, TASK_STATES } from '../../schemas/states/lanes.ts';
import { MESSAGE_STATES } from '../../schemas/states/message.ts';
import { PHASE_STATES, RUN_STATES, runState } from '../../schemas/states/run.ts';
import { SESSION_STATES } from '../../schemas/states/session.ts';
import { needsPerson, STALLS } from '../../schemas/states/stall.ts';
import { type State, stateOf } from '../../schemas/states/state.ts';
import { STATUS_LINE } from '../../schemas/states/statusLine.ts';

const ENUMS = [
  ['runs', RunState, RUN_STATES],
  ['phases', RunPhaseState, PHASE_STATES],
  ['gates', ApprovalState, GATE_STATES],
  ['sessions', ShownSessionState, SESSION_STATES],
  ['stalls', StallCause, STALLS],
  ['assignments', AssignmentState, ASSIGNMENT_STATES],
  ['tasks', TaskState, TASK_STATES],
  ['lanes', LaneState, LANE_STATES],
  ['the merge queue', QueuePlace, QUEUE_PLACES],
  ['messages', MessageState, MESSAGE_STATES],
  ['findings', FindingState, FINDING_STATES],
  ['severities', FindingSeverity, FINDING_SEVERITIES],
] as const;
const ALL: State[] = STATE_KINDS.flatMap(({ states, derived }) => [
  ...Object.values(states),
  ...derived.map(([, state]) => state),
]);

describe('the vocabulary of states', () => {
  it.each(ENUMS)('names every member of the enum of %s, each with its own word', (_, members, states) => {
    expect(Object.keys(states).sort()).toEqual([...members.options].sort());
    const words = Object.values(states).map(({ word }) => word);
    expect(new Set(words).size).toBe(words.length);
  });

  it('shows one word with one sign', () => {
    const signs = new Map<string, Set<string>>();
    for (const { word, sign } of ALL) signs.set(word, (signs.get(word) ?? new Set()).add(sign));
    const several = [...signs].filter(([word, each]) => each.size > 1 && word !== 'decision');
    expect(several).toEqual([]);
  });

  it('is complete in the table for the documents', () => {
    for (const [, , states] of ENUMS) expect(STATE_KINDS.map((kind) => kind.states)).toContain(states);
  });

  it('asks for something wherever it says that it waits for a person', () => {
    for (const { word, look, asks } of ALL) {
      if (['decision', 'needs you', 'asks', 'paused', 'timed out'].includes(word)) expect(asks, word).not.toBeNull();
      if (look === 'busy') expect(asks, word).toBeNull();
    }
  });

  it('uses the signs and words of runs in the status line', () => {
    const shown = ALL.map(({ sign, word }) => `${sign} ${word}`);
    for (const { sign, word } of [STATUS_LINE.approvals, STATUS_LINE.trouble])
      expect(shown).toContain(`${sign} ${word}`);
    expect(ALL.map(({ word }) => word)).toContain(STATUS_LINE.running.word);
  });
});

describe('a state that is read from several facts', () => {
  it.each([
    ['a run that only a person can move', runState({ state: 'executing', waitsForPerson: true }), 'needs you'],
    ['a run at a gate', runState({ state: 'awaiting_approval', waitsForPerson: true }), 'decision'],
    ['a paused run', runState({ state: 'paused', waitsForPerson: true }), 'paused'],
    ['a recovery gate', gateState({ kind: 'recovery', state: 'pending' }), 'decision'],
    ['a gate of an agent', gateState({ kind: 'agent', state: 'pending' }), 'asks'],
    ['one that was answered in its pane', gateState({ kind: 'agent', state: 'aborted' }), 'closed'],
    ['one that ended the run', gateState({ kind: 'agent', state: 'aborted', decisions: [{}] }), 'aborted'],
  ])('%s', (_, { word }, expected) => expect(word).toBe(expected));

  it('only agents that a person must help need one', () => {
    expect(StallCause.options.filter(needsPerson)).toEqual([
      'permission',
      'question',
      'dialog',
      'draft',
      'login',
      'turn_over',
    ]);
  });
});

it.each(['rehearsing', 'constructor'])('shows a state that only a newer daemon knows by its name: %s', (name) => {
  expect(stateOf(RUN_STATES, name as RunState)).toMatchObject({ sign: '·', word: name, asks: null });
});
