import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { allBefore, dependenciesOf } from '../../../../daemon/kinds/lanes/graph/taskGraph.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { type Input, isSignal } from '../../core/support/given.ts';
import { sessionNews, stepOf } from '../../core/support/inputs.ts';
import { checkStep, newLog } from '../../core/support/invariants.ts';
import { resultsOf } from '../../core/support/outcomes.ts';
import { newRun } from '../../core/support/run.ts';

const CASES = 200;
/** More steps than any of these plans needs. */
const ENOUGH = 3_000;

/** A plan of up to eight tasks, each of which may build on earlier ones and have a check. */
const plan = fc.array(fc.record({ on: fc.array(fc.nat(7), { maxLength: 2 }), checked: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function dagOf(tasks: Plan) {
  const id = (index: number) => `T${index}`;
  return {
    summary: 'A plan.',
    tasks: tasks.map(({ on, checked }, index) => ({
      id: id(index),
      title: `Title of ${id(index)}`,
      description: 'Do it.',
      requirements: [],
      dependsOn: [...new Set(on.filter((other) => other < index))].map(id),
      writeSet: [`${id(index)}/**`],
      checks: checked ? [{ argv: ['npm', 'test'] }] : [],
      risk: 'low',
      size: 's',
    })),
  };
}

/** The outcome of a due effect. `luck` picks it: mostly the expected one. */
function outcomeOf(run: Run, luck: number, tasks: Plan): Outcome | undefined {
  const due = decide(run).filter(({ type }) => type !== 'expireApproval');
  const effect = due[luck % due.length];
  if (!effect) return undefined;
  const results = resultsOf(effect, run);
  const result = luck % 7 === 0 ? results[luck % results.length] : results[0];
  if (result?.type !== 'artifactFound' || !result.verdict.valid || result.verdict.data === undefined) return result;
  return { ...result, verdict: { ...result.verdict, data: dagOf(tasks) } };
}

/** A person who wants the run to end well. Mostly approves, and sometimes asks for changes, ends a lane or reopens it. */
function decisionOf(run: Run, luck: number): Input | undefined {
  const gates = openGates(run);
  const gate = gates[luck % gates.length];
  const lost = run.lanes.find(({ state, reopens }) => state === 'abandoned' && reopens.length < 2);
  if (lost && luck % 3 === 0 && gate?.gateKey === 'changes_approved') {
    return { type: 'reopenLane', laneId: lost.id, comment: `comment ${luck}` };
  }
  if (!gate) return run.frozen ? { type: 'resume' } : undefined;
  const isLane = gate.laneId !== null && gate.laneId !== 'main' && gate.kind === 'gate';
  const action =
    isLane && luck % 11 === 0
      ? 'reject'
      : luck % 5 === 0 && gate.gateKey !== 'base_red'
        ? 'request_changes'
        : 'approve';
  return { type: 'decide', approvalRequestId: gate.id, action, comment: `comment ${luck}`, clientToken: `t${luck}` };
}

/** A task joins a lane only if whatever else needs that lane comes after the task anyway. Else the lane lands first. */
function expectNobodyWaits(run: Run, events: readonly RunEvent[]): void {
  const dag = phasesOf('lanes', run).find(({ key }) => key === 'build')?.dag;
  for (const event of events) {
    if (event.type !== 'task.started' || !dag) continue;
    const { taskId, laneId, because } = event.payload;
    if (because !== undefined || !run.lanes.some(({ id }) => id === laneId)) continue;
    const before = dependenciesOf(dag.tasks);
    const inLane = new Set(dag.tasks.filter((task) => task.laneId === laneId).map(({ id }) => id));
    const others = dag.tasks.filter(({ id, state }) => state === 'waiting' && id !== taskId);
    const held = others.filter(({ dependsOn }) => dependsOn.some((id) => inLane.has(id)));
    expect(held.filter(({ id }) => !allBefore(before, id).has(taskId))).toEqual([]);
  }
}

test('every plan ends, whatever its lanes, checks and agents do', { timeout: 300_000 }, () => {
  const ends = new Map<string, number>();
  let steps = 0;
  fc.assert(
    fc.property(plan, fc.infiniteStream(fc.nat(9_999)), (tasks, luck) => {
      const log = newLog(newRun({ template: 'lanes', behaviour: 3 }));
      for (let step = 0; !isTerminal(log.run.state); step += 1) {
        if (step > ENOUGH) throw new Error(`the ${log.run.state} run does not end`);
        const chance = luck.next().value ?? 0;
        if (log.run.frozen) {
          checkStep(log, stepOf(log.run, { type: 'resume' }));
          continue;
        }
        // Later steps have no more bad luck, so that each run ends.
        const calm = step > ENOUGH / 3 ? Math.floor(chance / 7) * 7 + 1 : chance;
        const kind = calm % 23;
        const input =
          kind === 0
            ? ({ type: 'pause', reason: 'lunch' } as const)
            : kind === 7
              ? sessionNews(log.run)[chance % Math.max(1, sessionNews(log.run).length)]
              : kind < 4
                ? (decisionOf(log.run, calm) ?? outcomeOf(log.run, calm, tasks))
                : (outcomeOf(log.run, calm, tasks) ?? decisionOf(log.run, calm));
        if (!input || typeof input === 'function') continue;
        const next = stepOf(log.run, input);
        expectNobodyWaits(log.run, next.events);
        if (isSignal(input) || next.events.length > 0) checkStep(log, next);
        steps += 1;
      }
      const { run } = log;
      ends.set(run.state, (ends.get(run.state) ?? 0) + 1);
      expect(replay(log.events)).toEqual(run);
      if (run.state !== 'completed') return;
      const dag = phasesOf('lanes', run).find(({ key }) => key === 'build')?.dag;
      const left = dag?.tasks.filter(({ state }) => state !== 'landed' && state !== 'abandoned');
      expect(left).toEqual([]);
      for (const task of dag?.tasks ?? []) {
        const lost = task.dependsOn.some((id) => dag?.tasks.find((other) => other.id === id)?.state === 'abandoned');
        expect(lost && task.state === 'landed').toBe(false);
      }
    }),
    { numRuns: Number(process.env.CASES ?? CASES), seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_102) },
  );
  console.log(`any plan: ${steps} steps, ends ${JSON.stringify([...ends])}`);
  expect(ends.get('completed') ?? 0).toBeGreaterThan(CASES / 3);
});
