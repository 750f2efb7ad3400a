import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../daemon/core/run/state.ts';
import { leadsTo } from '../../../daemon/sheet/leadsTo.ts';
import { NESTED_GATE } from '../../../schemas/definitions/template.ts';
import { GateKind } from '../../../schemas/enums.ts';
import { GATE_FACTS } from '../../../schemas/gates/gateKinds.ts';
import { consequencesOf, type OwnGate } from '../../../schemas/gates/ownGates.ts';
import { gate, givenLanes } from '../api/runs/lanes/givenLanes.ts';

/** A new gate of devflow's own does not compile without its line. */
const OWN: Readonly<Record<OwnGate, Approval['kind']>> = {
  base_red: 'gate',
  contract_drift: 'recovery',
  delivery_uncertain: 'recovery',
  host_unreachable: 'recovery',
  iterations_exhausted: 'recovery',
  merge_conflict: 'gate',
  merge_failed: 'gate',
  objective_not_met: 'recovery',
  parallel_dag_approved: 'gate',
  probes_approved: 'gate',
  review_dispute: 'gate',
  review_unconverged: 'gate',
  session_boundary: 'gate',
  setup_failed: 'recovery',
  turn_ended: 'turn',
  writeset_conflict: 'gate',
};

const of = (over: Partial<Approval>) => leadsTo(givenLanes({}), gate('g', over));
const sentences = (over: Partial<Approval>) =>
  Object.fromEntries(of(over).map(({ action, sentence }) => [action, sentence]));

const CASES: [string, Partial<Approval>][] = [
  ...Object.entries(OWN).map(([gateKey, kind]): [string, Partial<Approval>] => [gateKey, { gateKey, kind }]),
  ...GateKind.options.flatMap((kind): [string, Partial<Approval>][] => {
    const gateKey = GATE_FACTS[kind].gateKey ?? 'changes_approved';
    return [
      [`${kind} about the phase`, { gateKey, kind, laneId: null, assignment: null }],
      [`${kind} of an assignment`, { gateKey, kind, laneId: null, assignment: 'api' }],
      [`${kind} of a lane`, { gateKey, kind, laneId: 'lane-1', assignment: null }],
      [`${kind} of the queue`, { gateKey, kind, laneId: 'main', assignment: null }],
      [`${kind} without a phase`, { gateKey, kind, phaseId: '', phaseKey: '' }],
    ];
  }),
  ['nested repositories', { gateKey: NESTED_GATE, laneId: null }],
];

describe.each(CASES)('the gate %s', (_, over) => {
  test('says of each decision that it takes what follows, and of no other', () => {
    const approval = gate('g', over);
    const own = consequencesOf(approval);
    const taken = GATE_FACTS[approval.kind].takes.filter((action) => action === 'abort' || own?.[action] !== null);
    expect(new Set(of(over).map(({ action }) => action))).toEqual(new Set(taken));
    for (const { sentence } of of(over)) {
      expect(sentence).toMatch(/^\S.*\.$/);
      for (const each of sentence.split(/(?<=[.;:])\s+/)) expect(each.split(/\s+/).length).toBeLessThanOrEqual(20);
    }
  });

  test('says nothing once it is decided', () => {
    for (const state of ['approved', 'rejected', 'changes_requested', 'aborted'] as const)
      expect(of({ ...over, state })).toEqual([]);
  });
});

test('a gate of a template names what begins next, and what begins again', () => {
  const about = { gateKey: 'plan_approved', phaseId: 'phase-1', phaseKey: 'plan', laneId: null, assignment: null };
  expect(sentences(about)).toMatchObject({
    approve: '"Build" begins.',
    request_changes: expect.stringMatching(/^"Plan" begins again with your comment, as attempt \d\.$/),
  });
  expect(sentences({ ...about, gateKey: 'changes_approved', phaseId: 'phase-2', phaseKey: 'build' })).toMatchObject({
    approve: 'The run completes. Its work stays on its branch until you apply it.',
    request_changes: 'One more task does what your comment says, and devflow merges it.',
  });
});

test('a cleanup gate ends nothing', () => {
  expect(sentences({ kind: 'cleanup', gateKey: 'cleanup_forced', phaseId: '', laneId: null })).toEqual({
    approve: "devflow removes the worktree and keeps a copy in the run's directory.",
    reject: 'The worktree stays. devflow removes nothing.',
  });
});
