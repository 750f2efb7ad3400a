import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../daemon/core/replay.ts';
import type { Behaviour } from '../../../schemas/events/run.ts';
import { BEHAVIOURS } from './support/behaviours.ts';
import { dueOutcomes, stepOf } from './support/inputs.ts';
import { checkStep, newLog } from './support/invariants.ts';
import { inputOf, moves } from './support/moves.ts';
import { newRun, type Shape } from './support/run.ts';
import { GUESS, SETUP } from './support/setup.ts';
import { TEMPLATES, type TemplateName } from './support/templates.ts';

const CASES: Record<Behaviour, number> = { 1: 0, 2: 300, 3: 300, 4: 300, 5: 300, 6: 300, 7: 900 };

/** Mostly successes, so that histories make progress. */
const OFTEN = { hoped: 12, approve: 4, due: 6, late: 3, session: 2, signal: 2, resume: 1 };
const moveOf = (behaviour: Behaviour) => moves(behaviour >= 7 ? { ...OFTEN, host: 1 } : OFTEN);

/** Runs of older behaviours have none of the newer templates. */
const templatesOf = (behaviour: Behaviour) =>
  (Object.keys(TEMPLATES) as TemplateName[]).filter((name) => behaviour >= 3 || !TEMPLATES[name].exchange);

const shape = (behaviour: Behaviour): fc.Arbitrary<Shape> =>
  fc.record({
    behaviour: fc.constant(behaviour),
    template: fc.constantFrom(...templatesOf(behaviour)),
    approvalTimeoutMs: fc.option(fc.constant(5_000), { nil: undefined }),
    setup: behaviour < 7 ? fc.constant(undefined) : fc.option(fc.constantFrom(SETUP, GUESS), { nil: undefined }),
    extra: fc.option(fc.constant({ verify: [['npm', 'run', 'lint']] }), { nil: undefined }),
  });

test.each(BEHAVIOURS)(
  'keeps all invariants of a run of behaviour %i under any order of inputs',
  { timeout: 300_000 },
  (behaviour) => {
    const cases = CASES[behaviour];
    const ends = new Map<string, number>();
    const seen = new Set<string>();
    let steps = 0;
    fc.assert(
      fc.property(
        shape(behaviour),
        fc.array(moveOf(behaviour), { minLength: 5, maxLength: 70, size: 'max' }),
        (wanted, moves) => {
          const log = newLog(newRun(wanted));
          const past: Outcome[] = [];
          for (const each of moves) {
            past.push(...dueOutcomes(log.run));
            const input = inputOf(log.run, each, past);
            if (!input) continue;
            const next = stepOf(log.run, input);
            checkStep(log, next);
            for (const event of next.events) seen.add(event.type);
            steps += 1;
          }
          expect(replay(log.events)).toEqual(log.run);
          ends.set(log.run.state, (ends.get(log.run.state) ?? 0) + 1);
        },
      ),
      { numRuns: cases, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
    );
    console.log(
      `any history, behaviour ${behaviour}: ${cases} cases, ${steps} steps, ${seen.size} event types, ends ${JSON.stringify([...ends])}`,
    );
    // Checks that the histories cover enough: all endings, and every event that the core records.
    for (const state of ['completed', 'failed', 'aborted', 'paused', 'awaiting_approval', 'executing', 'planning']) {
      expect(ends.get(state) ?? 0, `histories that end ${state}`).toBeGreaterThan(cases / 200);
    }
    expect(seen.size).toBeGreaterThanOrEqual(27);
  },
);
