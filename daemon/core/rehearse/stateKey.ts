import { kindOf } from '../../kinds/index.ts';
import { publishEffects } from '../exchange/publish.ts';
import { continuesConversation } from '../run/boundary.ts';
import { currentPhase, isDue, openGates, recoveriesUsed } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/**
 * All that the future of a run depends on. Of ended phases it has only what later ones read, so states grow linearly with
 * the phases, not exponentially. A session's used recoveries count only while it has an assignment. The state found first
 * has the most recoveries left, so it reaches all that the others reach.
 */
export function stateKey(run: Run): string {
  const phase = currentPhase(run);
  const gates = openGates(run).map(({ gateKey, assignment, laneId, phaseKey }) =>
    [gateKey, phaseKey, assignment, laneId].join(' '),
  );
  return [
    run.state,
    run.decided !== null,
    ...run.phases.map((each) => (each === phase ? `${each.state} ${each.gatesPassed}` : ended(each))),
    ...run.sessions.map(({ state, renews }) => `${state} ${renews}`),
    ...(phase ? atWork(run, phase) : []),
    ...(run.setup ? run.lanes.map(({ id, setup }) => `${id} ${setup?.state}`) : []),
    ...gates,
    ...loops(run),
  ].join('\n');
}

/** A phase that is not at work. A person can have it continue. */
function ended(phase: Phase): string {
  return [phase.state, ...kindOf(phase).rehearsal.ended(phase)].join(' ');
}

function loops({ evaluations, iterations }: Run): string[] {
  return [
    ...iterations.map(({ isResolved, extension }) => `${isResolved} ${extension !== null}`),
    ...evaluations.map(({ result, judgement, measurements }) =>
      [result?.status, judgement?.isKept, judgement?.stop?.reason, measurements.length].join(' '),
    ),
  ];
}

function atWork(run: Run, phase: Phase): string[] {
  const { assignments, attempts, id, changeRequest } = phase;
  const commands = run.commands.filter((each) => each.phaseId === id && each.attempt === attempts);
  return [
    phase.key,
    String(changeRequest !== null),
    String(continuesConversation(run, phase)),
    String(publishEffects(run, phase).length),
    ...assignments.map((each) => (isDue(each) ? due(run, each) : `${each.key} ${each.status} ${each.work !== null}`)),
    ...commands.map(({ state, laneId, index }) => [state, laneId, index].join(' ')),
    ...kindOf(phase).rehearsal.atWork(run, phase),
  ];
}

function due(run: Run, { key, status, repairsUsed, repair, resend, errors, sessionId, because }: Assignment): string {
  const session = run.sessions.find((each) => each.id === sessionId);
  const used = session && recoveriesUsed(session);
  return [key, status, repairsUsed, repair !== null, resend, errors, because, used].join(' ');
}
