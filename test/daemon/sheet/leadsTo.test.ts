import { describe, expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import { producerOf } from '../../../daemon/core/run/producer.ts';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Approval, Phase } from '../../../daemon/core/run/state.ts';
import { leadsTo } from '../../../daemon/sheet/leadsTo.ts';
import { NESTED_GATE, Template } from '../../../schemas/definitions/template.ts';
import { GateKind } from '../../../schemas/enums.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { GATE_FACTS } from '../../../schemas/gates/gateKinds.ts';
import { consequencesOf, isOwnGate, type OwnGate } from '../../../schemas/gates/ownGates.ts';
import { gate, givenLanes } from '../api/runs/lanes/givenLanes.ts';
import { decision, given, type Input, type Story } from '../core/support/given.ts';
import { resultsOf } from '../core/support/outcomes.ts';
import type { Shape } from '../core/support/run.ts';
import { TEMPLATES } from '../core/support/templates.ts';
import { ENOUGH, goesWell } from '../core/support/unattended.ts';

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

/** The events that a person is told about before: the first one tells what follows a decision. */
const FOLLOWS = ['phase.started', 'iteration.started', 'approval.requested', 'run.completed'];

/** What really follows a decision at the open gate, in the words of its page. */
function whatFollows(story: Story, action: 'approve' | 'request_changes'): string {
  const decided = story.on(decision(action, 'More.', `token ${story.run.lastSeq}`));
  const recorded = [...decided.latest];
  for (let at = decided; !recorded.some(isTold) && at.run.endedAt === null; recorded.push(...at.latest)) {
    at = at.on(goesWell);
  }
  const event = recorded.find(isTold);
  const phase = story.run.phases.find(({ id }) => id === event?.phaseId);
  const title = story.run.template.phases.find(({ key }) => key === phase?.key)?.title ?? '';
  if (event?.type === 'phase.started') {
    return action === 'approve' ? `"${title}" begins.` : `"${title}" begins again with your comment`;
  }
  if (event?.type === 'iteration.started') return 'One more iteration begins';
  if (event?.type === 'run.completed') return 'The run completes.';
  const { gateKey } = (event?.payload ?? {}) as { gateKey?: string };
  if (gateKey === 'session_boundary') return 'devflow asks next in which conversation';
  if (gateKey === 'iterations_exhausted') return `devflow asks ${action === 'approve' ? 'next' : 'first'} if one more`;
  return `The gate ${gateKey} of this phase opens next.`;
}

/** The first iteration, and the rounds of one phase, begin with the phase that is told. */
function isTold({ type, payload }: RunEvent): boolean {
  return (
    FOLLOWS.includes(type) &&
    (type !== 'iteration.started' || Number((payload as { iteration?: number }).iteration) > 1)
  );
}

/** Gates in the middle of an iteration and at its end; a phase that may be left out stands behind the last one. */
const gatesInIteration = (at: 'make' | 'test') => {
  const { phases, ...template } = TEMPLATES.cycle;
  const gated = phases.map((phase) => (phase.key === at ? { ...phase, gates: ['seen'] } : phase));
  return Template.parse({ ...template, name: `gated-${at}`, phases: gated });
};

describe.each<[string, Shape]>([
  ...(['development', 'boundary', 'lanes', 'review', 'cycle', 'pipeline', 'twoGates', 'gateThenCommands'] as const).map(
    (template): [string, Shape] => [template, { template }],
  ),
  ['commands without any', { template: 'commands' }],
  ['a gate in an iteration', { template: gatesInIteration('make') }],
  ['a gate at the end of an iteration', { template: gatesInIteration('test') }],
])('in %s', (_, shape) => {
  /** The template gates that open on the way, with failing tests in the first iterations. */
  const gates = (next: Input): Story[] => {
    const found: Story[] = [];
    let story = given(shape);
    for (let step = 0; step < ENOUGH && story.run.endedAt === null; step += 1) {
      const [open] = openGates(story.run);
      if (open && open.kind === 'gate' && !isOwnGate(open.gateKey)) found.push(story);
      story = story.on(open ? goesWell : next);
    }
    return found;
  };
  const failing: Input = (run) => {
    const due = decide(run).find(({ type }) => type === 'awaitArtifact');
    const all = due ? resultsOf(due, run).filter((each) => each.type === 'artifactFound' && each.verdict.valid) : [];
    return all.at(-1) ?? goesWell(run);
  };

  test.each([
    ['if all goes well', goesWell],
    ['if agents find something', failing],
  ])('the page says what follows a decision, %s', (_how, next) => {
    const open = gates(next);
    expect(open.length).toBeGreaterThan(0);
    for (const story of open) {
      const [asked] = openGates(story.run);
      const said = new Map(leadsTo(story.run, asked as Approval).map(({ action, sentence }) => [action, sentence]));
      expect(said.get('approve')).toContain(whatFollows(story, 'approve'));
      const kind = producerOf(story.run, story.run.phases.find(({ id }) => id === asked?.phaseId) as Phase).kind;
      if (kind === 'agent') expect(said.get('request_changes')).toContain(whatFollows(story, 'request_changes'));
    }
  });
});
