import type { CheckResult, Ejection } from '../../../../schemas/kinds/lanes/events.ts';
import type { EjectionView, LaneSummary, LaneView } from '../../../../schemas/rpc/views/lanes.ts';
import { hasBranch } from '../../../core/run/lanes.ts';
import { isOf, openGates } from '../../../core/run/query.ts';
import type { Lane, Phase, Run } from '../../../core/run/state.ts';
import { lanesOf } from '../../../kinds/lanes/lane.ts';
import { flakyChecks } from '../../../kinds/lanes/laneChecks.ts';
import type { LanesPhase } from '../../../kinds/lanes/plan.ts';

/** The lanes that phases opened, without `main`. */
export function laneSummaries(run: Run): LaneSummary[] {
  return run.phases.flatMap((phase) =>
    lanesOf(run, phase).map((lane) => {
      const { id: laneId, roleId, state, path } = lane;
      return { laneId, phaseKey: phase.key, roleId, state, branch: branchOf(lane), path, tasks: tasksIn(phase, lane) };
    }),
  );
}

/** The lanes of a phase in the order in which they opened. */
export function laneViews(run: Run, phase: LanesPhase): LaneView[] {
  const gates = openGates(run);
  return lanesOf(run, phase).map((lane): LaneView => {
    const { id: laneId, roleId, state, path, base, head } = lane;
    return {
      laneId,
      roleId,
      state,
      branch: branchOf(lane),
      path,
      base,
      head,
      tasks: tasksIn(phase, lane),
      sessionIds: sessionsIn(phase, lane),
      openGates: gates.filter((gate) => gate.phaseId === phase.id && isAbout(gate, phase, lane)).map(({ id }) => id),
      ejections: lane.ejections.map(ejectionView),
      flakyChecks: flakyChecks(run, phase, lane),
    };
  });
}

function branchOf(lane: Lane): string | null {
  return hasBranch(lane) ? lane.branch : null;
}

export function failedChecks(results: readonly CheckResult[]): EjectionView['failedChecks'] {
  return results.map(({ argv, reason, stdoutPath }) => ({ argv, reason, stdoutPath }));
}

function tasksIn(phase: Phase, { id }: Lane): string[] {
  if (!isOf('lanes', phase)) return [];
  const { dag, assignments } = phase;
  const tasks = (dag?.tasks ?? []).filter(({ laneId }) => laneId === id).map((task) => task.id);
  const taken = assignments.map(({ key }) => key);
  return tasks.sort((a, b) => taken.indexOf(a) - taken.indexOf(b));
}

function sessionsIn({ assignments }: Phase, { id }: Lane): string[] {
  return [...new Set(assignments.filter(({ laneId }) => laneId === id).map(({ sessionId }) => sessionId))];
}

function isAbout(
  gate: { laneId: string | null; assignment: string | null },
  { assignments }: Phase,
  { id }: Lane,
): boolean {
  return gate.laneId === id || assignments.some(({ key, laneId }) => key === gate.assignment && laneId === id);
}

function ejectionView(ejection: Ejection): EjectionView {
  const { cause, base, paths, with: others, results, faults } = ejection;
  return { cause, base, paths, with: others, failedChecks: failedChecks(results), faults };
}
