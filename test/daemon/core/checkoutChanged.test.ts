import { expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import type { OutcomeOf } from '../../../daemon/core/effect/outcome.ts';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../daemon/core/run/state.ts';
import { composeReport } from '../../../daemon/report/compose.ts';
import { questionOf } from '../../../daemon/sheet/question.ts';
import { approve, done, given, type Input, type Story } from './support/given.ts';
import { resultsOf } from './support/outcomes.ts';
import { TEMPLATES } from './support/templates.ts';
import { until, untilDue } from './support/unattended.ts';

const CHANGE = { paths: ['a.ts', 'b.ts', 'c.ts', 'd.ts'], headMoved: false };

/** The work is committed, and the person's checkout changed meanwhile. */
const committedWith =
  (checkout: typeof CHANGE): Input =>
  (run) => {
    const next = done('commitWork');
    const outcome = typeof next === 'function' ? next(run) : next;
    return outcome.type === 'workCommitted' ? { ...outcome, checkout } : outcome;
  };

const question = ({ run }: Story) => questionOf(run, openGates(run)[0] as Approval);
const WORDS = 'Your checkout changed while the agents worked on implement: a.ts, b.ts, c.ts and 1 more file.';

test('a change of the checkout while an agent worked is recorded, asked about at the next gate, and reported', () => {
  const working = untilDue('commitWork', given({ template: TEMPLATES.development, behaviour: 5 }));
  const words = WORDS.replace('implement', working.run.phases[0]?.key ?? '');
  const asked = until(working.on(committedWith(CHANGE)), (run) => openGates(run).length > 0);
  expect(asked.events.filter(({ type }) => type === 'checkout.changed')).toHaveLength(1);
  expect(question(asked)).toContain(`${words} If it was not you, an agent wrote there.`);
  const later = until(asked.on(approve), (run) => openGates(run).length > 0);
  expect(openGates(later.run)).not.toEqual(openGates(asked.run));
  expect(question(later)).not.toContain('checkout');
  const { unresolved } = composeReport({ run: later.run, events: later.events, findings: [] }).json;
  expect(unresolved).toContainEqual(
    expect.objectContaining({ kind: 'checkout_changed', sentence: expect.stringContaining(words) }),
  );
});

test('a late outcome records nothing', () => {
  const working = untilDue('commitWork', given({ template: TEMPLATES.withoutPlan, behaviour: 5 }));
  const late = working.on(committedWith(CHANGE), (run) => ({
    type: 'workCommitted',
    phaseId: run.phases[0]?.id ?? '',
    attempt: 1,
    work: { commit: null, files: 0, insertions: 0, deletions: 0 },
    checkout: CHANGE,
  }));
  expect(late.run.checkoutChanges).toHaveLength(1);
});

test('a change while the agent of a lane worked is recorded for that lane and its assignment', () => {
  const isSecond = (run: Run, { part }: Pick<OutcomeOf<'workCommitted'>, 'part'>) =>
    part !== undefined && part.assignment === run.phases[1]?.assignments[1]?.key;
  const committedIn = (run: Run) =>
    decide(run)
      .flatMap((effect) => (effect.type === 'commitWork' ? resultsOf(effect, run) : []))
      .find((outcome) => outcome.type === 'workCommitted' && isSecond(run, outcome));
  const working = until(given({ template: TEMPLATES.lanes }), (run) => committedIn(run) !== undefined);
  const assignment = working.run.phases[1]?.assignments[1];
  const outcome = { ...(committedIn(working.run) as OutcomeOf<'workCommitted'>), checkout: CHANGE };
  expect(assignment?.laneId).not.toBe(working.run.phases[1]?.assignments[0]?.laneId);
  expect(working.on(outcome).latest[0]).toMatchObject({
    type: 'checkout.changed',
    payload: { ...CHANGE, laneId: assignment?.laneId, assignment: assignment?.key, attempt: 1 },
  });
});
