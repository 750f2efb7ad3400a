import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import type { Outcome } from '../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../daemon/core/replay.ts';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { dueOutcomes, stepOf } from './support/inputs.ts';
import { checkStep, newLog } from './support/invariants.ts';
import { inputOf, isFatal, moves } from './support/moves.ts';
import { newRun } from './support/run.ts';
import type { TemplateName } from './support/templates.ts';

const CASES = 150;
/** Agents side by side, several gates of a phase, and phases that others send back. */
const SHAPES: TemplateName[] = ['twoInstances', 'threeReaders', 'checkedPlan', 'twoGates', 'commands'];

/** Nothing here ends a run before its phases are done, so histories get long. */
const move = moves({ hoped: 10, approve: 4, change: 2, trouble: 6, late: 2, session: 2, pause: 1, resume: 2 });

test('keeps all invariants of runs that many troubles hold up', { timeout: 300_000 }, () => {
  const most = { gates: 0, attempts: 0 };
  let completed = 0;
  let steps = 0;
  const history = fc.array(move, { minLength: 40, maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(
      fc.constantFrom(...SHAPES),
      fc.option(fc.constant(5_000), { nil: undefined }),
      history,
      (template, approvalTimeoutMs, wanted) => {
        const log = newLog(newRun({ behaviour: 3, template, approvalTimeoutMs }));
        const past: Outcome[] = [];
        for (const each of wanted) {
          past.push(...dueOutcomes(log.run).filter((outcome) => !isFatal(outcome)));
          const input = inputOf(log.run, each, past);
          if (!input) continue;
          checkStep(log, stepOf(log.run, input));
          endsWhenAborted(log.run);
          pauseChangesNothing(log.run);
          most.gates = Math.max(most.gates, openGates(log.run).length);
          most.attempts = Math.max(
            most.attempts,
            ...log.run.phases.flatMap((phase) => phase.assignments.map(({ attempt }) => attempt)),
          );
          steps += 1;
        }
        expect(replay(log.events)).toEqual(log.run);
        if (log.run.state === 'completed') completed += 1;
      },
    ),
    { numRuns: CASES, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
  );
  console.log(
    `long histories: ${CASES} cases, ${steps} steps, ${completed} completed, at most ${JSON.stringify(most)}`,
  );
  // Checks that the histories cover enough.
  expect(most.gates).toBe(3);
  expect(completed).toBeGreaterThan(CASES / 20);
});

/** Whatever goes on, a person can end it, and then nobody is asked anything. */
function endsWhenAborted(run: Run): void {
  if (isTerminal(run.state)) return;
  const { run: after } = stepOf(run, { type: 'abort', reason: 'enough' });
  expect(after.state).toBe('aborted');
  expect(openGates(after)).toEqual([]);
  expect(after.commands.filter(({ state }) => state === 'started')).toEqual([]);
}

/** After a pause the same gates are open and the same effects are due. Only deadlines count anew. */
function pauseChangesNothing(run: Run): void {
  const { run: paused, events } = stepOf(run, { type: 'pause', reason: 'lunch' });
  if (events.length === 0) return;
  const { run: after } = stepOf(paused, { type: 'resume' });
  expect([after.state, after.pausedFrom, gatesOf(after), duties(after)]).toEqual([
    run.state,
    run.pausedFrom,
    gatesOf(run),
    duties(run),
  ]);
}

const gatesOf = (run: Run) => run.approvals.map(({ id, state }) => [id, state]);
const DEADLINES = ['awaitArtifact', 'expireApproval'];
const duties = (run: Run) => decide(run).map(({ type, key }) => (DEADLINES.includes(type) ? type : key));
