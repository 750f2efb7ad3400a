import { expect, test } from 'vitest';
import { newAssignment } from '../../../../daemon/core/assignment/newAssignment.ts';
import { phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Approval } from '../../../../daemon/core/run/state.ts';
import { beginRepair, tooManyTries } from '../../../../daemon/kinds/lanes/repair.ts';
import type { Ejection, EjectionCause } from '../../../../schemas/kinds/lanes/events.ts';
import { commit, gate, givenLanes, lane } from '../../api/runs/lanes/givenLanes.ts';

/** What comes of the newest conflict of a lane that was sent back so: `refused` is a resolution with faults. */
function next(returns: (EjectionCause | 'refused')[], gates: Approval[] = []): 'own' | 'resolver' | 'person' {
  const ejections = returns.map((how, index): Ejection => {
    const refused = how === 'refused';
    const facts = { laneId: 'lane-1', head: commit('head'), base: commit('base'), paths: [], with: [], results: [] };
    return { ...facts, nth: index + 1, cause: refused ? 'conflict' : how, faults: refused ? ['It has markers.'] : [] };
  });
  const bindings = [
    { roleId: 'implementer', role: 'implementer' },
    { roleId: 'resolver', role: 'resolver' },
  ];
  const run = givenLanes({}, { approvals: gates, bindings: bindings as ReturnType<typeof givenLanes>['bindings'] });
  const template = structuredClone(run.template);
  template.phases[1]?.roles.push('resolver');
  const [phase] = phasesOf('lanes', run);
  const ejection = ejections.at(-1);
  if (!phase || !ejection) throw new TypeError('the run has a phase with lanes, and its lane was sent back');
  const at = { run: { ...run, template }, phase, lane: lane('lane-1', { ejections }) };
  const trouble = { id: 'conflict', kind: 'conflict', ejection } as const;
  if (tooManyTries(at.run, at.phase, at.lane, trouble)) return 'person';
  const { payload } = beginRepair(at.run, at.phase, at.lane, trouble);
  return (payload as { roleId: string }).roleId === 'resolver' ? 'resolver' : 'own';
}

test('the own agent resolves a conflict first, then another persona, then a person decides', () => {
  expect(next(['conflict'])).toBe('own');
  expect(next(['conflict', 'refused'])).toBe('resolver');
  expect(next(['conflict', 'refused', 'refused'])).toBe('person');
});

test.each(['own', 'interaction', 'raced', 'conflict'] as const)(
  'a new conflict has all its tries after the lane came back otherwise: %s',
  (earlier) => {
    expect(next([earlier, 'conflict'])).toBe('own');
    expect(next([earlier, 'conflict', 'refused'])).toBe('resolver');
    expect(next([earlier, 'conflict', 'refused', 'refused'])).toBe('person');
  },
);

test('a conflict that a person has had tried again has all its tries again', () => {
  const decided = [gate('asked', { gateKey: 'merge_conflict', state: 'approved', subject: { nth: 3 } })];
  const asked = ['conflict', 'refused', 'refused'] as const;
  expect(next([...asked], decided)).toBe('own');
  expect(next([...asked, 'refused'], decided)).toBe('resolver');
  expect(next([...asked, 'refused', 'refused'], decided)).toBe('person');
});

test('repairs that a person asked for leave the agent all its tries to make the checks pass', () => {
  const run = givenLanes({});
  const [phase] = phasesOf('lanes', run);
  if (!phase) throw new TypeError('the run has a phase with lanes');
  const tried = (...reasons: string[]) => {
    const repairs = reasons.map((_, nth) =>
      newAssignment(
        run,
        phase,
        { key: `lane-1#fix-${nth}`, roleId: 'implementer', laneId: 'lane-1' },
        { nth: 1, cause: 'first', changeRequest: null },
      ),
    );
    const assignments = repairs.map((each, nth) => ({ ...each, because: reasons[nth] ?? null }));
    const trouble = { id: 'lane-1.checks-9', kind: 'checks' as const, commands: [] };
    return tooManyTries(run, { ...phase, assignments }, lane('lane-1'), trouble) ? 'person' : 'agent';
  };
  expect(tried('gate-1', 'gate-2', 'lane-1.checks-1')).toBe('agent');
  expect(tried('gate-1', 'lane-1.checks-1', 'lane-1.return-1')).toBe('person');
});
