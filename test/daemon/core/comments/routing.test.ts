import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commentState } from '../../../../daemon/core/comments/commentState.ts';
import { phaseAsked } from '../../../../daemon/core/comments/phaseAsked.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { takesComments } from '../../../../schemas/gates/takesComments.ts';
import { given, type Story } from '../support/given.ts';
import { goesWell, untilEnd } from '../support/unattended.ts';
import { newComment, requestWith, shipped } from './givenComments.ts';

/** By template and gate: the phase that gets the comments, and who answers them there. */
const ROUTES: Record<string, Record<string, string>> = {
  'autodev-existing-code@1': {
    'run-tests changes_approved': 'run-tests engineer',
    'run-tests-again changes_approved': 'run-tests-again engineer',
  },
  'autodev-greenfield@1': {
    'plan architecture_approved': 'plan engineer',
    'run-tests changes_approved': 'run-tests engineer',
  },
  'autodev-meta-repo@1': { 'loop changes_approved': 'loop engineer' },
  'backtest-strategy@1': {
    'backtest objective_not_met': 'implement implementer',
    'accept changes_approved': 'implement implementer',
  },
  'dev-cycle@1': { 'accept cycle_accepted': 'cd cd' },
  'development@1': {
    'spec spec_approved': 'spec planner',
    'plan plan_approved': 'plan planner',
    'verify changes_approved': 'implement implementer',
  },
  'development@2': {
    'spec spec_approved': 'spec planner',
    'plan plan_approved': 'plan planner',
    'verify changes_approved': 'review fix-2',
  },
  'direct@1': { 'finish changes_approved': 'direct' },
  'parallel-development@1': {
    'spec spec_approved': 'spec planner',
    'plan plan_approved': 'plan planner',
    'verify changes_approved': 'implement changes-2',
  },
  'pipeline@1': {
    'brief brief_approved': 'brief planner',
    'plan plan_approved': 'plan planner',
    'verify changes_approved': 'execute implementer',
  },
  'quick-change@1': { 'implement changes_approved': 'implement implementer' },
  'quick-change@2': { 'verify changes_approved': 'review fix-2' },
  'review@1': {},
  'template-factory@1': { 'intent intent_approved': 'intent planner', 'approve promotion_approved': 'draft planner' },
  'template-factory@2': { 'intent intent_approved': 'intent planner', 'approve promotion_approved': 'draft planner' },
};

const begin = (name: string) => given({ template: shipped(name), extra: { verify: [['npm', 'test']] } });
const nameOf = ({ phaseKey, gateKey }: Approval) => `${phaseKey} ${gateKey}`;

/** The first run at each gate that stops it, if all goes well. */
function gatesOf(name: string): Map<string, Story> {
  const found = new Map<string, Story>();
  let story = begin(name);
  for (let step = 0; step < 600 && story.run.endedAt === null; step += 1) {
    const [gate] = openGates(story.run);
    if (gate && !found.has(nameOf(gate))) found.set(nameOf(gate), story);
    story = story.on(goesWell);
  }
  expect(story.run.state).toBe('completed');
  return found;
}

const openGate = ({ run }: Pick<Story, 'run'>) => openGates(run)[0] as Approval;

/** Who answered the only comment of a run. */
function answerersOf({ comments, phases }: Run): string[] {
  return comments.flatMap(({ phaseId, answers }) =>
    answers.map(({ assignment }) => `${phases.find(({ id }) => id === phaseId)?.key} ${assignment}`),
  );
}

test('every template of the package has a row', () => {
  const files = readdirSync(join(packageRoot(), 'schemas', 'templates'));
  expect(Object.keys(ROUTES)).toEqual(files.map((file) => file.replace('.yaml', '')).sort());
});

describe.each(Object.entries(ROUTES))('%s', (name, routes) => {
  const gates = gatesOf(name);

  test('takes comments at these gates, and at no other', () => {
    const taking = [...gates].filter(([, story]) => takesComments(openGate(story)));
    expect(Object.fromEntries(taking.map(([gate]) => [gate, routes[gate]]))).toEqual(routes);
    for (const [gate, story] of gates) {
      const asked = phaseAsked(story.run, openGate(story))?.key;
      expect(asked, gate).toBe(routes[gate]?.split(' ')[0]);
    }
  });

  test.each(Object.entries(routes))('%s: the comment is answered by %s alone', (gate, route) => {
    const asked = (gates.get(gate) as Story).on(requestWith([newComment()]));
    const { run } = untilEnd(asked);
    expect(run.state).toBe('completed');
    // An agent that a person leads has no file to answer in.
    const isTold = !route.includes(' ');
    expect(run.comments.map((comment) => commentState(run, comment).state)).toEqual([isTold ? 'told' : 'answered']);
    expect(answerersOf(run)).toEqual(isTold ? [] : [route]);
  });
});
