import { describe, expect, test } from 'vitest';
import { laneSettings } from '../../../../schemas/kinds/lanes/settings.ts';
import { faults, type GivenPhase, graph, lanes, parse, verify } from '../givenTemplate.ts';

const ONCE = { requiredCapabilities: ['code_edit'] };

test('a lanes phase between a task graph and its checks is sound', () => {
  expect(faults([graph, lanes, verify])).toEqual([]);
  expect(faults([graph, { ...lanes, lanes: undefined, roles: ['coder'] }])).toEqual([]);
});

test.each<[string, GivenPhase, string[]]>([
  ['no role', { roles: [] }, ['phases.1.roles a lanes phase needs a role, or two: the second resolves conflicts']],
  [
    'three roles',
    { roles: ['coder', 'resolver', 'third'] },
    ['phases.1.roles a lanes phase needs a role, or two: the second resolves conflicts'],
  ],
  [
    'one role twice',
    { roles: ['coder', 'coder'] },
    ['phases.1.roles a lanes phase needs a role, or two: the second resolves conflicts'],
  ],
  [
    'no artifact',
    { expectedArtifact: undefined },
    ['phases.1.expectedArtifact a lanes phase needs an expected artifact'],
  ],
  [
    'no instructions',
    { instructions: undefined },
    ['phases.1.instructions a lanes phase needs instructions with {{task}}'],
  ],
  [
    'no task in its instructions',
    { instructions: 'Do it.' },
    ['phases.1.instructions a lanes phase needs instructions with {{task}}'],
  ],
  ['commands', { commands: [{ argv: ['true'] }] }, ['phases.1.commands commands belong to a phase of kind command']],
  [
    'a graph that another phase writes',
    { lanes: { from: 'verify' } },
    ['phases.1.lanes verify is no earlier agent phase that writes a task graph (dev/dag)'],
  ],
  [
    'checks that are no phase',
    { lanes: { checks: 'test' } },
    ['phases.1.lanes test is no later phase of kind command'],
  ],
  [
    'checks that an agent does',
    { lanes: { checks: 'plan' } },
    ['phases.1.lanes plan is no later phase of kind command'],
  ],
  [
    'a gate that devflow opens itself',
    { gates: ['merge_conflict'] },
    ["phases.1.gates the gate merge_conflict is devflow's own; choose another name"],
  ],
  ['no lane', { lanes: { max: 0 } }, ['phases.1.lanes.max Too small: expected number to be >=1']],
  ['too many lanes', { lanes: { max: 17 } }, ['phases.1.lanes.max Too big: expected number to be <=16']],
  ['an empty batch', { lanes: { batch: 0 } }, ['phases.1.lanes.batch Too small: expected number to be >=1']],
])('is refused with %s', (_, change, expected) => {
  expect(faults([graph, { ...lanes, ...change }, verify])).toEqual(expected);
});

test('is refused without a task graph before it', () => {
  const missing = ['a lanes phase needs an earlier agent phase that writes a task graph (dev/dag)'];
  const plan = { ...graph, expectedArtifact: { path: 'p.json', schema: 'dev/phase-plan@2' } };
  expect(faults([plan, lanes, verify])).toEqual(missing.map((each) => `phases.1.lanes ${each}`));
  expect(faults([lanes, graph, verify])).toEqual(missing.map((each) => `phases.0.lanes ${each}`));
});

test('is refused with several agents of one role', () => {
  const roles = ['planner', 'coder', 'resolver'].map((id) => ({ id, ...ONCE, count: id === 'coder' ? 2 : 1 }));
  expect(faults([graph, lanes, verify], roles)).toEqual([
    'phases.1.roles role coder has a count; in a lanes phase, lanes.max says how many agents work',
  ]);
});

test.each<[string, GivenPhase]>([
  ['an agent phase', { ...graph, key: 'other' }],
  ['a command phase', verify],
])('%s takes no lanes', (_, phase) => {
  expect(faults([graph, { ...phase, lanes: {} }])).toEqual(['phases.1.lanes lanes belong to a phase of kind lanes']);
});

test('only a lanes phase names its task', () => {
  expect(faults([{ ...graph, instructions: 'Plan {{task}}.' }, lanes, verify])).toEqual([
    'phases.0.instructions {{task}} belongs to a phase of kind lanes',
  ]);
  expect(faults([graph, { ...lanes, instructions: '{{task}} {{lane}}' }, verify])).toEqual([
    'phases.1.instructions {{lane}} is unknown; there are {{requirements}}, {{objective}}, {{base_branch}}, {{worktree}}, {{change_request}}, {{task}}, {{artifact:<phase>}} and {{findings:<phase>}}',
  ]);
});

test('a phase that writes a task graph needs a gate', () => {
  expect(faults([{ ...graph, gates: [] }, lanes, verify])).toEqual([
    'phases.0.gates a phase that writes a plan needs a gate',
  ]);
});

describe('the settings', () => {
  const settings = (phases: GivenPhase[], key: string) => {
    const template = parse(phases).data;
    const phase = template?.phases.find((each) => each.key === key);
    return template && phase && laneSettings(template, phase);
  };
  const again = { ...graph, key: 'plan-again' };

  test('are filled in', () => {
    expect(settings([graph, lanes, verify], 'implement')).toEqual({ from: 'plan', max: 4, batch: 3, checks: 'verify' });
    expect(settings([graph, { ...lanes, lanes: undefined }], 'implement')).toEqual({
      from: 'plan',
      max: 4,
      batch: 3,
      checks: null,
    });
  });

  test('take the nearest task graph, or the one that is named', () => {
    expect(settings([graph, again, lanes, verify], 'implement')?.from).toBe('plan-again');
    const named = { ...lanes, lanes: { from: 'plan', max: 16, batch: 1 } };
    expect(settings([graph, again, named], 'implement')).toEqual({ from: 'plan', max: 16, batch: 1, checks: null });
  });
});
