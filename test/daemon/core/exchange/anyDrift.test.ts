import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import { dueOutcomes, stepOf } from '../support/inputs.ts';
import { checkStep, dueMoves, newLog } from '../support/invariants.ts';
import { inputOf, isFatal, moves } from '../support/moves.ts';
import { CHANGES, createPublishedFiles, type PublishedFiles } from '../support/publishedFiles.ts';
import { newRun } from '../support/run.ts';
import type { TemplateName } from '../support/templates.ts';
import { ENOUGH, goesWell } from '../support/unattended.ts';

/** Mostly successes, and people who change a published file in every third step. */
const move = moves({ hoped: 12, approve: 3, change: 3, trouble: 2, late: 1, session: 1, pause: 1, resume: 2 });
const step = fc.record({
  move,
  change: fc.option(fc.record({ how: fc.constantFrom(...CHANGES), pick: fc.nat(99) }), { freq: 2 }),
});

/** The outcome of the first due effect, as the files are. */
function performed(run: Run, files: PublishedFiles): Outcome | undefined {
  const due = decide(run).find((effect) => files.isAbout(effect));
  return due && files.outcomeOf(due, run);
}

/** Outcomes that say what the files are not would be of another world. */
function isPossible(input: Outcome | Signal): boolean {
  return !['artifactPublished', 'publishingRefused', 'worktreeRead'].includes(input.type);
}

/** Nobody changes a file any more, and every decision is one that leads on. */
function finish(run: Run, files: PublishedFiles): Run {
  let at = run;
  for (let nth = 0; nth < ENOUGH && !isTerminal(at.state); nth += 1) {
    const [gate] = at.frozen ? [] : openGates(at);
    at = stepOf(at, performed(at, files) ?? (gate ? files.help(at, gate) : goesWell(at))).run;
  }
  return at;
}

test.each(['pipeline', 'planned', 'autodev', 'devCycle', 'cycle'] satisfies TemplateName[])(
  'HC-8.3 a run of %s always waits for somebody and can end, whoever changes its files at any moment',
  { timeout: 300_000 },
  (template) => {
    const seen = { drifts: 0, again: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 90, size: 'max' }), (steps) => {
        const log = newLog(newRun({ template }));
        const files = createPublishedFiles();
        const past: Outcome[] = [];
        for (const { move, change } of steps) {
          if (change) files.change(log.run, change.how, change.pick);
          past.push(...dueOutcomes(log.run).filter(isPossible));
          const found = move.kind === 'hoped' ? performed(log.run, files) : undefined;
          const input = found ?? inputOf(log.run, move, past);
          const isTaken = input && (found || isPossible(input)) && !('error' in input && isFatal(input as Outcome));
          if (!isTaken || isTerminal(log.run.state)) continue;
          const next = stepOf(log.run, input);
          checkStep(log, next);
          dueMoves(next.run, stepOf);
          const drifted = next.events.filter(({ type }) => type === 'contract.drifted').length;
          seen.drifts += drifted;
          if (input.type === 'publishingRefused' && drifted > 0) seen.again += 1;
        }
        if (log.run.state !== 'failed' && log.run.state !== 'aborted')
          expect(finish(log.run, files).state).toBe('completed');
      }),
      { numRuns: 100, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
    );
    const isPublishing = template === 'pipeline' || template === 'planned';
    expect(seen.drifts > 20 && seen.again > 3, JSON.stringify(seen)).toBe(isPublishing);
  },
);
