import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { NEWEST_BEHAVIOUR } from '../../../../daemon/core/run/behaviour.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { findingViews } from '../../../../daemon/kinds/review/findingViews.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import { type Input, isSignal } from '../../core/support/given.ts';
import { sessionNews, stepOf } from '../../core/support/inputs.ts';
import { checkStep, newLog } from '../../core/support/invariants.ts';
import { resultsOf } from '../../core/support/outcomes.ts';
import { newRun } from '../../core/support/run.ts';

const CASES = Number(process.env.CASES ?? 25);
/** More steps than any of these reviews needs. */
const ENOUGH = 3_000;

/** The outcome of a due effect. `luck` picks it: often not the expected one. */
function outcomeOf(run: Run, luck: number): Outcome | undefined {
  const due = decide(run).filter(({ type }) => type !== 'expireApproval');
  const effect = due[luck % due.length];
  if (!effect) return undefined;
  const results = resultsOf(effect, run);
  const isAnswer = effect.type === 'awaitArtifact' && effect.review !== undefined;
  return isAnswer || luck % 3 === 0 ? results[Math.floor(luck / 7) % results.length] : results[0];
}

/** A person who wants the run to end well: mostly approves, sometimes asks for changes. */
function decisionOf(run: Run, luck: number): Input | undefined {
  const gates = openGates(run);
  const gate = gates[luck % gates.length];
  if (!gate) return run.frozen ? { type: 'resume' } : undefined;
  const action = luck % 4 === 0 ? 'request_changes' : 'approve';
  return { type: 'decide', approvalRequestId: gate.id, action, comment: `comment ${luck}`, clientToken: `t${luck}` };
}

const title = 'every review with behaviour %i ends, whatever its agents say, and passes with nothing that is open';

test.each<Behaviour>([3, NEWEST_BEHAVIOUR])(title, { timeout: 300_000 }, (behaviour) => {
  const ends = new Map<string, number>();
  const types = new Set<string>();
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(9_999)), (luck) => {
      const log = newLog(newRun({ template: 'review', behaviour }));
      for (let step = 0; !isTerminal(log.run.state); step += 1) {
        if (step > ENOUGH) throw new Error(`the ${log.run.state} run does not end`);
        const chance = luck.next().value ?? 0;
        // Later steps have no more bad luck, so that each run ends.
        const calm = step > ENOUGH / 3 ? Math.floor(chance / 12) * 12 + 1 : chance;
        const kind = calm % 29;
        const input: Input | undefined = log.run.frozen
          ? { type: 'resume' }
          : kind === 0
            ? { type: 'pause', reason: 'lunch' }
            : kind === 7
              ? sessionNews(log.run)[chance % Math.max(1, sessionNews(log.run).length)]
              : kind < 4
                ? (decisionOf(log.run, calm) ?? outcomeOf(log.run, calm))
                : (outcomeOf(log.run, calm) ?? decisionOf(log.run, calm));
        if (!input || typeof input === 'function') continue;
        const next = stepOf(log.run, input);
        if (isSignal(input) || next.events.length > 0) checkStep(log, next);
      }
      const { run } = log;
      for (const { type } of log.events) types.add(type);
      ends.set(run.state, (ends.get(run.state) ?? 0) + 1);
      expect(replay(log.events)).toEqual(run);
      if (run.state !== 'completed') return;
      expect(findingViews(run).filter(({ isBlocker }) => isBlocker)).toEqual([]);
    }),
    { numRuns: CASES, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) },
  );
  console.log(`any review with behaviour ${behaviour}: ends ${JSON.stringify([...ends])}, ${types.size} event types`);
  expect(ends.get('completed') ?? 0).toBeGreaterThan(CASES / 3);
  expect(types).toContain('finding.accepted');
  expect(types).toContain('review.checked');
});
