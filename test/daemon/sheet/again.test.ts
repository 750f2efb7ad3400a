import { describe, expect, test } from 'vitest';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../daemon/core/run/state.ts';
import { questionOf } from '../../../daemon/sheet/question.ts';
import { NESTED_GATE } from '../../../schemas/definitions/template.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { gate, givenLanes } from '../api/runs/lanes/givenLanes.ts';
import { decision, failed, given, type Input, type Story } from '../core/support/given.ts';
import { TEMPLATES } from '../core/support/templates.ts';
import {
  conflictingMerge,
  goesWell,
  isAsked,
  redMerge,
  refusedResolution,
  until,
  untilDue,
} from '../core/support/unattended.ts';

type Shown = Partial<Approval> & { subject: Approval['subject'] };

interface Reopened {
  first: Shown;
  /** The same again: only what differs each time does. */
  same: Shown;
  /** Something new for a person to decide. */
  other: Shown;
}

const WORKTREE = { head: 'c0ffee1', tree: 'one', uncommitted: 'none' };
const check = { argv: ['npm', 'test'], exitCode: 1, reason: 'exit 1' };
const ejection = (nth: number, over: Record<string, unknown> = {}) => ({
  nth,
  head: `head ${nth}`,
  base: `base ${nth}`,
  cause: 'own',
  paths: [],
  faults: [],
  results: [{ ...check, stdoutPath: `/o/${nth}`, tail: `after ${nth} ms` }],
  ...over,
});
const failure = (reason: string) => ({ code: 'git_failed', reason, recoveryHint: 'Do it.', sessionId: reason });

/** A subject that has no incidental part. */
const plain = (first: Approval['subject'], other: Approval['subject'], over: Partial<Approval> = {}): Reopened => ({
  first: { ...over, subject: first },
  same: { ...over, subject: first },
  other: { ...over, subject: other },
});

const recovery = (over: Partial<Approval> = {}): Reopened => {
  const about = { kind: 'recovery' as const, gateKey: 'recovery', laneId: null, ...over };
  return {
    first: { ...about, subject: failure('main moved to c0ffee1.') },
    same: { ...about, attempt: 2, subject: { ...failure('main moved to c0ffee2.'), sessionId: 'another' } },
    other: { ...about, subject: failure('The disk is full.') },
  };
};

/** Each gate that a person can decide more than once. A new one does not compile without its line. */
const REOPENED: Record<
  OwnGate | 'recovery' | 'recovery of a lane' | 'recovery of an assignment' | 'a template gate' | 'nested' | 'cleanup',
  Reopened
> = {
  parallel_dag_approved: plain(
    { pairs: [{ a: 'A', b: 'B', reasons: [] }] },
    { pairs: [{ a: 'A', b: 'C', reasons: [] }] },
  ),
  probes_approved: plain({ plan: 'p', probes: [{}] }, { plan: 'q', probes: [{}, {}] }),
  writeset_conflict: {
    first: { subject: { paths: ['a.ts'], with: ['lane-2'], head: 'one' } },
    same: { subject: { paths: ['a.ts'], with: ['lane-2'], head: 'two' } },
    other: { subject: { paths: ['b.ts'], with: ['lane-2'], head: 'two' } },
  },
  merge_conflict: {
    first: { subject: { paths: ['a.ts'], nth: 3, faults: ['lane-1 is at c0ffee1.'], droppedTests: [] } },
    same: { subject: { paths: ['a.ts'], nth: 6, faults: ['lane-1 is at c0ffee2.'], droppedTests: [] } },
    other: { subject: { paths: ['a.ts'], nth: 6, faults: ['a.ts has conflict markers.'], droppedTests: [] } },
  },
  merge_failed: {
    first: { subject: { because: 'lane-1.return-2', ejections: [ejection(1), ejection(2)] } },
    same: { subject: { because: 'lane-1.return-4', ejections: [ejection(1), ejection(2), ejection(4)] } },
    other: { subject: { because: 'lane-1.return-4', ejections: [ejection(1), ejection(2, { cause: 'interaction' })] } },
  },
  base_red: plain({ failed: [0], results: [check] }, { failed: [0], results: [{ ...check, exitCode: 2 }] }),
  review_unconverged: plain({ reason: 'No.', open: ['one'] }, { reason: 'No.', open: ['two'] }),
  review_dispute: plain({ round: 1, open: ['one'] }, { round: 2, open: ['two'] }),
  contract_drift: plain({ reason: 'a.md changed.' }, { reason: 'b.md changed.' }),
  iterations_exhausted: plain({ reason: 'Two tests fail.' }, { reason: 'One test fails.' }),
  objective_not_met: plain({ reason: 'No.', issues: ['p99'] }, { reason: 'No.', issues: ['p50'] }),
  session_boundary: plain({ worktree: WORKTREE }, { worktree: { ...WORKTREE, tree: 'two' } }),
  turn_ended: plain(
    { reason: 'It ended.', words: 'Done?' },
    { reason: 'It ended.', words: 'Which?' },
    { kind: 'turn' },
  ),
  host_unreachable: plain(
    { code: 'host_unreachable', reason: 'Host far takes no work.' },
    { code: 'host_unreachable', reason: 'Host near takes no work.' },
    { kind: 'recovery' },
  ),
  setup_failed: {
    first: { kind: 'recovery', laneId: 'main', subject: { code: 'setup_failed', why: 'npm ci: exit 1', nth: 1 } },
    same: { kind: 'recovery', laneId: 'main', subject: { code: 'setup_failed', why: 'npm ci: exit 1', nth: 2 } },
    other: { kind: 'recovery', laneId: 'main', subject: { code: 'setup_failed', why: 'npm ci: exit 2', nth: 2 } },
  },
  delivery_uncertain: plain(
    { reason: 'Unclear.', nth: 1 },
    { reason: 'The pane is gone.', nth: 2 },
    { kind: 'recovery' },
  ),
  recovery: recovery(),
  'recovery of a lane': recovery({ laneId: 'lane-1' }),
  'recovery of an assignment': recovery({ assignment: 'implementer' }),
  'a template gate': {
    first: { gateKey: 'changes_approved', laneId: null, subject: { producedBy: 'build', worktree: WORKTREE } },
    same: {
      gateKey: 'changes_approved',
      laneId: null,
      attempt: 2,
      subject: { producedBy: 'build', worktree: { ...WORKTREE, head: 'c0ffee2' } },
    },
    other: {
      gateKey: 'changes_approved',
      laneId: null,
      subject: { producedBy: 'build', worktree: { ...WORKTREE, tree: 'two' } },
    },
  },
  nested: plain(
    { work: { nestedRepositories: ['a'] }, worktree: WORKTREE },
    { work: { nestedRepositories: ['a'] }, worktree: { ...WORKTREE, tree: 'two' } },
    { gateKey: NESTED_GATE, laneId: null },
  ),
  cleanup: plain(
    { reason: 'The branch has commits.' },
    { reason: 'There are files.' },
    { kind: 'cleanup', laneId: null },
  ),
};

const SAYS = /came back unchanged|nothing changed|failed the same way/;

describe.each(Object.keys(REOPENED) as (keyof typeof REOPENED)[])('the gate %s', (key) => {
  const { first, same, other } = REOPENED[key];
  const keyed = { gateKey: key, ...first };
  const decided = (id: string, action: 'approve' | 'request_changes') => ({
    ...gate(id, keyed),
    state: action === 'approve' ? ('approved' as const) : ('changes_requested' as const),
    decision: { id, action, comment: null, clientToken: id, decidedAt: '2026-01-02T03:04:05.000Z' },
  });
  const question = (approvals: Approval[]) => {
    const run = givenLanes({}, { approvals });
    return questionOf(run, approvals.at(-1) as Approval);
  };

  test.each(['approve', 'request_changes'] as const)('says that it comes back unchanged after %s', (action) => {
    const once = decided('one', action);
    const again = gate('again', { gateKey: key, ...same });
    expect(question([once, again])).toMatch(SAYS);
    expect(question([once, decided('two', action), again])).toMatch(/2 times/);
  });

  test('says nothing of that the first time, or if there is something new', () => {
    expect(question([decided('one', 'approve')])).not.toMatch(SAYS);
    expect(question([decided('one', 'approve'), gate('new', { gateKey: key, ...other })])).not.toMatch(SAYS);
  });
});

describe('a run says that a gate comes back unchanged', () => {
  const asked = (story: Story) => openGates(story.run).map((each) => questionOf(story.run, each));
  /** The question of the gate that comes after the first one, for the same lane. All other gates are approved. */
  const askedTwice = (gateKey: string, action: 'approve' | 'request_changes', next: Input): string => {
    const once = until(lanes(), isAsked(gateKey), next);
    const [first] = openGates(once.run).filter((each) => each.gateKey === gateKey);
    const own = (run: Run) =>
      openGates(run).filter(({ id, laneId }) => id !== first?.id && laneId === first?.laneId)[0];
    const decided: Input = {
      type: 'decide',
      approvalRequestId: first?.id ?? '',
      action,
      comment: 'Try harder.',
      clientToken: 'token',
    };
    const twice = until(once.on(decided), (run) => own(run) !== undefined, next);
    const again = own(twice.run);
    return again ? questionOf(twice.run, again) : '';
  };
  const lanes = () => given({ template: TEMPLATES.lanes });

  test('after the same failure in a lane', () => {
    const once = untilDue('runCommand', lanes()).on(failed('runCommand', 'disk_full'));
    expect(asked(once)[0]).not.toMatch(SAYS);
    const twice = once.on(decision('approve'), failed('runCommand', 'disk_full'));
    expect(asked(twice)[0]).toMatch(
      /^You had this tried again, and it failed the same way\. .*it was disk_full\. Try again\?$/s,
    );
  });

  test('after the same failure of a commit', () => {
    const once = untilDue('commitWork', given({ template: 'withoutGate' })).on(failed('commitWork', 'disk_full'));
    const twice = once.on(decision('approve'), failed('commitWork', 'disk_full'));
    expect(asked(twice)[0]).toMatch(SAYS);
  });

  test('if the agent of a lane cannot repair it', () => {
    const nobodyRepairs: Input = (run) => redMerge(run) ?? goesWell(run);
    expect(askedTwice('merge_failed', 'approve', nobodyRepairs)).toMatch(
      /^You approved this, and it came back unchanged\. .*\(npm test\)/,
    );
  });

  test('if nobody can resolve a conflict', () => {
    const nobodyResolves: Input = (run) => refusedResolution(run) ?? conflictingMerge(run) ?? goesWell(run);
    expect(askedTwice('merge_conflict', 'request_changes', nobodyResolves)).toMatch(
      /^You asked for changes, and nothing changed\. .*devflow refused the last resolution: a\.ts has conflict markers\./,
    );
  });
});
