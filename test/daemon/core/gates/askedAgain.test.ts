import { expect, test } from 'vitest';
import { askedAgain } from '../../../../daemon/core/gates/askedAgain.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import type { ApprovalDecisionAction } from '../../../../schemas/enums.ts';
import { firstPhaseDone, given } from '../support/given.ts';

const { run } = given({}, ...firstPhaseDone);
const [GATE] = run.approvals;
if (!GATE) throw new TypeError('a gate is open');

interface Shown extends Partial<Approval> {
  decided?: ApprovalDecisionAction;
}

/** Gates in the order in which they opened. */
const asked = (...gates: Shown[]): Run => ({
  ...run,
  approvals: gates.map(({ decided, ...gate }, at) => ({
    ...GATE,
    subject: { reason: 'It fails.' },
    ...gate,
    id: `gate ${at}`,
    decision: decided
      ? { id: `decision ${at}`, action: decided, comment: null, clientToken: `${at}`, decidedAt: '' }
      : null,
  })),
});

/** What is known of the last of them. */
function again(...gates: Shown[]) {
  const { approvals, ...rest } = asked(...gates);
  const last = approvals.at(-1);
  return last && askedAgain({ ...rest, approvals }, last);
}

const APPROVED: Shown = { decided: 'approve' };

test('counts how often a person decided the same, and names the newest decision', () => {
  expect(again(APPROVED, {})).toEqual({ times: 1, action: 'approve' });
  expect(again(APPROVED, { decided: 'request_changes' }, {})).toEqual({ times: 2, action: 'request_changes' });
});

test.each<[string, Shown[]]>([
  ['nobody decided before', [{}]],
  ['nobody decided the one before', [{}, {}]],
  ['the one before was no answer to this question', [{ decided: 'reject' }, {}]],
])('says nothing if %s', (_, gates) => {
  expect(again(...gates)).toBe(undefined);
});

test('passes over a gate that closed without a decision', () => {
  expect(again(APPROVED, {}, {})).toEqual({ times: 1, action: 'approve' });
});

test('ignores gates that opened later', () => {
  const { approvals, ...rest } = asked({}, APPROVED);
  expect(askedAgain({ ...rest, approvals }, approvals[0] as Approval)).toBe(undefined);
});

test('compares a gate that has not opened yet with all', () => {
  const [decided, coming] = asked(APPROVED, {}).approvals as [Approval, Approval];
  expect(askedAgain({ ...run, approvals: [decided] }, coming)).toEqual({ times: 1, action: 'approve' });
});

test('counts only since it last showed something else', () => {
  const other: Shown = { ...APPROVED, subject: { reason: 'It fails otherwise.' } };
  expect(again(APPROVED, other, APPROVED, {})).toEqual({ times: 1, action: 'approve' });
  expect(again(APPROVED, other, {})).toBe(undefined);
});

test.each<[string, Partial<Approval>]>([
  ['another phase', { phaseId: 'other' }],
  ['another gate', { gateKey: 'other' }],
  ['another kind of gate', { kind: 'recovery' }],
  ['another lane', { laneId: 'lane-1' }],
  ['another assignment', { assignment: 'other' }],
])('does not count a decision at %s', (_, place) => {
  expect(again({ ...APPROVED, ...place }, {})).toBe(undefined);
});

test.each<[string, Shown, Shown]>([
  ['names of attempts and counters', { subject: { nth: 1, attempt: 1 } }, { subject: { nth: 2, attempt: 2 } }],
  ['paths of outputs', { subject: { stdoutPath: '/1' } }, { subject: { stdoutPath: '/2' } }],
  ['commits', { subject: { head: 'a', diff: { to: 'a' } } }, { subject: { head: 'b', diff: { to: 'b' } } }],
  ['the order of its fields', { subject: { a: 1, b: { c: 1, d: 2 } } }, { subject: { b: { d: 2, c: 1 }, a: 1 } }],
  [
    'commits in its words',
    { subject: { reason: 'At 0123abc it fails.' } },
    { subject: { reason: 'At 89abcdef0 it fails.' } },
  ],
  ['commits in its faults', { subject: { faults: ['0123abc'] } }, { subject: { faults: ['89abcde'] } }],
  [
    'the path of an artifact',
    { subject: { artifacts: [{ path: '/1', hash: 'h' }] } },
    { subject: { artifacts: [{ path: '/2', hash: 'h' }] } },
  ],
  ['no list of artifacts instead of an empty one', { subject: { artifacts: [] } }, { subject: {} }],
  [
    'how often a lane came back before',
    { subject: { ejections: [{ cause: 'own' }] } },
    { subject: { ejections: [{ cause: 'conflict' }, { cause: 'own' }] } },
  ],
])('asks the same again although this differs: %s', (_, before, now) => {
  expect(again({ ...APPROVED, ...before }, now)).toEqual({ times: 1, action: 'approve' });
});

test.each<[string, Shown, Shown]>([
  ['its words', { subject: { reason: 'It fails.' } }, { subject: { reason: 'It is slow.' } }],
  ['the order of its list', { subject: { paths: ['a', 'b'] } }, { subject: { paths: ['b', 'a'] } }],
  ['a short number in its words', { subject: { reason: 'exit 1' } }, { subject: { reason: 'exit 2' } }],
  ['that its words name a commit', { subject: { reason: 'fails at 0123abc' } }, { subject: { reason: 'fails at ' } }],
  ['a commit that is no word', { subject: { to: '0123abc' } }, { subject: { to: '89abcde' } }],
  ['the artifact', { artifactHash: 'a' }, { artifactHash: 'b' }],
  ['one of the artifacts', { subject: { artifacts: [{ hash: 'a' }] } }, { subject: { artifacts: [{ hash: 'b' }] } }],
  [
    'the newest return of a lane',
    { subject: { ejections: [{ cause: 'own' }] } },
    { subject: { ejections: [{ cause: 'conflict' }] } },
  ],
])('asks something new if this differs: %s', (_, before, now) => {
  expect(again({ ...APPROVED, ...before }, now)).toBe(undefined);
});
