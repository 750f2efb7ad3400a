import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { isFrozen, openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { sessionNews, signalsAt } from '../../core/support/inputs.ts';
import { outcomesOf, resultsOf } from '../../core/support/outcomes.ts';
import type { TemplateName } from '../../core/support/templates.ts';
import { givenRuns, type RunsWithSlots } from './support/runsWithSlots.ts';

const move = fc.record({
  kind: fc.oneof(
    { weight: 14, arbitrary: fc.constant('succeed' as const) },
    { weight: 5, arbitrary: fc.constant('end' as const) },
    { weight: 4, arbitrary: fc.constant('approve' as const) },
    { weight: 2, arbitrary: fc.constant('session' as const) },
    { weight: 2, arbitrary: fc.constant('signal' as const) },
    { weight: 1, arbitrary: fc.constant('resume' as const) },
    { weight: 1, arbitrary: fc.constant('suspend' as const) },
    { weight: 1, arbitrary: fc.constant('stop' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
  ),
  pick: fc.nat(9_999),
});
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

async function makeMove(world: RunsWithSlots, { kind, pick }: Move): Promise<void> {
  const from = <T>(candidates: readonly T[]): T | undefined => candidates[pick % candidates.length];
  const run = from(world.runs()) as Run;
  const begun = from(world.inFlight());
  const signal = (given: Signal | undefined) =>
    given &&
    world
      .actorOf(run.id)
      .signal(given)
      .catch(() => {});
  switch (kind) {
    case 'succeed':
    case 'end': {
      if (!begun) return;
      const ofRun = world.actorOf(begun.effect.runId).run();
      // An aborted performer reports nothing, but a delivery is finished.
      if (begun.signal.aborted && begun.effect.type !== 'sendPrompt') return world.settle(begun);
      const results = kind === 'succeed' ? resultsOf(begun.effect, ofRun).slice(0, 1) : outcomesOf(begun.effect, ofRun);
      return world.settle(begun, from(results));
    }
    case 'session': {
      const news = from<Outcome>(sessionNews(run));
      if (news) world.actorOf(run.id).report(news);
      break;
    }
    case 'signal':
      await signal(from(signalsAt(run, ['token'])));
      break;
    case 'approve':
      await signal(approvalOf(run));
      break;
    case 'resume':
      await signal({ type: 'resume' });
      break;
    case 'suspend':
      world.failNextWrite(run.id);
      await signal({ type: 'pause', reason: 'lunch' });
      break;
    case 'stop':
    case 'kill':
      return world.restart(kind, 1 + (pick % 3));
  }
  await world.settled();
}

function approvalOf(run: Run): Signal | undefined {
  const [gate] = openGates(run);
  const clientToken = `token of ${gate?.id} ${gate?.pendingSince}`;
  return gate && { type: 'decide', approvalRequestId: gate.id, action: 'approve', comment: null, clientToken };
}

/** From here on everything succeeds, and people do what is asked of them. */
async function finish(world: RunsWithSlots): Promise<void> {
  for (let turn = 0; world.runs().some(({ state }) => !isTerminal(state)); turn += 1) {
    if (turn > 400) throw new Error(`the runs do not end: ${JSON.stringify(world.runs().map(({ state }) => state))}`);
    for (const run of world.runs()) {
      const actor = world.actorOf(run.id);
      if (isFrozen(run)) await actor.signal({ type: 'resume' }).catch(() => {});
      for (const { id: sessionId, stall } of run.sessions) {
        if (stall) actor.report({ type: 'sessionStalled', sessionId, stall: null });
      }
      const approval = approvalOf(actor.run());
      if (approval) await actor.signal(approval).catch(() => {});
      await world.settled();
    }
    for (const begun of [...world.inFlight()].filter(({ effect }) => effect.type !== 'expireApproval')) {
      if (world.inFlight().includes(begun))
        await makeMove(world, { kind: 'succeed', pick: world.inFlight().indexOf(begun) });
    }
  }
  for (const begun of [...world.inFlight()]) await world.settle(begun);
  expect(world.slots().counts()).toMatchObject({ atWork: 0, waiting: 0 });
}

test('keeps to the limit and serves every agent, whatever happens to the runs', { timeout: 120_000 }, async () => {
  const templates = fc.array(fc.constantFrom<TemplateName>('withoutGate', 'twoInstances', 'boundary', 'development'), {
    minLength: 2,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      templates,
      fc.integer({ min: 1, max: 3 }),
      fc.array(move, { maxLength: 60, size: 'max' }),
      async (names, limit, moves) => {
        const world = await givenRuns(
          names.map((template, nth) => ({ runId: derivedId(`run ${nth}`), template })),
          limit,
        );
        for (const each of moves) await makeMove(world, each);
        await finish(world);
      },
    ),
    { numRuns: 40, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
  );
});
