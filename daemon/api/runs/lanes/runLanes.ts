import type { MergeTest } from '../../../../schemas/kinds/lanes/events.ts';
import type {
  DriftView,
  LanesPhaseView,
  MergeTestView,
  OverlapView,
  RunLanes,
} from '../../../../schemas/rpc/views/lanes.ts';
import { definitionOf, phasesOf } from '../../../core/run/query.ts';
import type { Approval, Run } from '../../../core/run/state.ts';
import { overlapOrder } from '../../../kinds/lanes/overlapGate.ts';
import type { LanesPhase } from '../../../kinds/lanes/plan.ts';
import { failuresThatCount } from '../../../kinds/lanes/queue/acceptedRed.ts';
import { queueOf } from '../../../kinds/lanes/queueOf.ts';
import { sharedPairs } from '../../../sheet/question.ts';
import { failedChecks, laneViews } from './laneViews.ts';
import { queueViews } from './queueViews.ts';
import { taskViews } from './taskViews.ts';

/** The parallel work of a run, by phase. Pure: made from the folded state. */
export function runLanes(run: Run): RunLanes {
  return { runId: run.id, phases: phasesOf('lanes', run).map((phase) => lanesPhaseView(run, phase)) };
}

function lanesPhaseView(run: Run, phase: LanesPhase): LanesPhaseView {
  return {
    phaseKey: phase.key,
    title: definitionOf(run, phase).title,
    planned: phase.dag !== null,
    tasks: taskViews(run, phase, phase.dag ? overlapOrder(run, phase) : []),
    lanes: laneViews(run, phase),
    queue: queueViews(run, phase),
    overlaps: gatesAt(run, phase, 'parallel_dag_approved').flatMap(overlapViews),
    drift: gatesAt(run, phase, 'writeset_conflict').map(driftView),
    tests: testViews(run, phase),
  };
}

function gatesAt(run: Run, { id }: LanesPhase, gateKey: string): Approval[] {
  return run.approvals.filter((gate) => gate.phaseId === id && gate.gateKey === gateKey);
}

function overlapViews({ id: approvalId, state, subject }: Approval): OverlapView[] {
  return sharedPairs(subject).map(({ a, b, reasons }) => {
    const files = reasons.flatMap((reason) => reason.files ?? []);
    return { tasks: [a, b], reasons, files, approvalId, state };
  });
}

function driftView({ id: approvalId, laneId, state, subject }: Approval): DriftView {
  const { paths = [], with: others = [] } = subject as { paths?: string[]; with?: string[] };
  return { laneId: laneId ?? '', paths, with: others, approvalId, state };
}

function testViews(run: Run, phase: LanesPhase): MergeTestView[] {
  const tests = phase.dag?.tests ?? [];
  if (tests.length === 0) return [];
  const queue = queueOf(run, phase);
  const isGreen = (test: MergeTest) => failuresThatCount(queue, test).length === 0;
  return tests.map((test, at) => {
    const { base, lanes, commit, nth, failed, results, tree } = test;
    const green = isGreen(test);
    const flaky = green && tests.slice(0, at).some((each) => each.tree === tree && !isGreen(each));
    const bad = results.filter((_, check) => failed.includes(check));
    const ids = lanes.map(({ laneId }) => laneId);
    return { base, lanes: ids, commit, green, nth, flaky, failedChecks: failedChecks(bad) };
  });
}
