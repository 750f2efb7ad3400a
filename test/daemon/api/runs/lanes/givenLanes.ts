import type { Approval, Lane, Run } from '../../../../../daemon/core/run/state.ts';
import type { Dag, Task } from '../../../../../daemon/kinds/lanes/state.ts';
import { Template } from '../../../../../schemas/definitions/template.ts';
import type { MergeTest } from '../../../../../schemas/kinds/lanes/events.ts';
import { givenRun } from '../../../report/givenRun.ts';

const template = Template.parse({
  name: 'parallel',
  version: 1,
  roles: [
    { id: 'planner', requiredCapabilities: ['task_dag_planning'] },
    { id: 'implementer', requiredCapabilities: ['code_edit'] },
  ],
  phases: [
    {
      key: 'plan',
      title: 'Plan',
      risk: 'low',
      roles: ['planner'],
      expectedArtifact: { path: 'dag.json', schema: 'dev/dag@1' },
      gates: ['plan_approved'],
      instructions: 'Plan.',
    },
    {
      key: 'build',
      title: 'Build',
      kind: 'lanes',
      risk: 'medium',
      roles: ['implementer'],
      expectedArtifact: { path: 'done.json', schema: 'dev/implementation@1' },
      instructions: 'Do {{task}}.',
    },
  ],
});

export const commit = (name: string) => name.padEnd(40, '0');

export function task(id: string, over: Partial<Task> = {}): Task {
  return {
    id,
    title: `The ${id}`,
    description: '',
    requirements: [],
    dependsOn: [],
    writeSet: [`src/${id}/**`],
    checks: [],
    risk: 'low',
    size: 's',
    laneId: null,
    state: 'waiting',
    work: null,
    ...over,
  };
}

export function lane(id: string, over: Partial<Lane> = {}): Lane {
  return {
    id,
    phaseId: 'phase-2',
    roleId: 'implementer',
    path: `/work/run/lanes/${id}`,
    branch: `devflow/run/${id}`,
    base: commit('ba5e'),
    head: null,
    state: 'open',
    endedBecause: null,
    reopens: [],
    ejections: [],
    setup: null,
    ...over,
  };
}

export function gate(id: string, over: Partial<Approval> = {}): Approval {
  return {
    id,
    key: id,
    gateKey: 'writeset_conflict',
    kind: 'gate',
    phaseId: 'phase-2',
    phaseKey: 'build',
    assignment: null,
    laneId: 'lane-1',
    attempt: 1,
    artifactHash: null,
    subject: {},
    state: 'pending',
    timeoutMs: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    pendingSince: '2026-01-02T03:04:05.000Z',
    resolvedAt: null,
    decision: null,
    ...over,
  };
}

export function mergeTest(lanes: readonly string[], over: Partial<MergeTest> = {}): MergeTest {
  const heads = lanes.map((laneId) => ({ laneId, head: commit(laneId) }));
  const merged = commit(`merge-${lanes.join('-')}`);
  const chain = { base: commit('ba5e'), lanes: heads, commits: [merged], commit: merged, tree: commit('tree') };
  return { ...chain, checks: 'checks', nth: 1, failed: [], results: [], ...over };
}

/** A run whose second phase works in lanes, by an approved plan. */
export function givenLanes(dag: Partial<Dag>, over: Partial<Run> = {}): Run {
  const run = givenRun();
  const [plan, build] = run.phases;
  if (!plan || !build) throw new TypeError('the run has two phases');
  const empty: Dag = { plan: 'hash', tasks: [], main: commit('ba5e'), queue: [], late: [], tests: [], landings: [] };
  const phases = [
    { ...plan, key: 'plan' },
    {
      ...build,
      kind: 'lanes' as const,
      key: 'build',
      state: 'running' as const,
      endedAt: null,
      dag: { ...empty, ...dag },
    },
  ];
  return { ...run, template, behaviour: 3, state: 'executing', endedAt: null, phases, commands: [], ...over };
}
