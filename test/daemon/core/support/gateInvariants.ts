import { keepsWorkOfSilentHost } from '../../../../daemon/core/run/behaviour.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { isSetUp } from '../../../../daemon/core/run/setupOf.ts';
import type { Approval, Phase, Run } from '../../../../daemon/core/run/state.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { HOST_GATE, SETUP_GATE } from '../../../../schemas/gates/ownGates.ts';
import { hold } from './hold.ts';

/** What must hold where failures stay with their assignments and several gates may be open. */

/** Valid work is lost only when its phase begins again, and not if the phase is only tried again. */
export function keepsValidWork(before: Run, after: Run, event: RunEvent): void {
  for (const phase of before.phases) {
    const next = after.phases.find(({ id }) => id === phase.id);
    for (const { key, status } of phase.assignments) {
      const isKept = next?.assignments.find((each) => each.key === key)?.status === 'validated';
      if (status !== 'validated' || isKept) continue;
      const redone = event.type === 'phase.started' && event.phaseId === phase.id && event.payload.cause !== 'retry';
      hold(redone, `${event.type} lost the valid work of ${key} in phase ${phase.key}`);
    }
  }
}

/** Every open gate is about something that waits for it, and everything that waits for a decision has one open gate. */
export function gatesAreAsked(run: Run): void {
  if (isTerminal(run.state)) return;
  const open = openGates(run);
  for (const gate of open) {
    const phase = run.phases.find(({ id }) => id === gate.phaseId);
    hold(phase !== undefined && asks(run, phase, gate), `a gate is open, but nothing waits at it: ${gate.gateKey}`);
  }
  if (run.frozen) return;
  for (const phase of run.phases) {
    const own = open.filter(({ phaseId }) => phaseId === phase.id);
    for (const { key, status } of phase.assignments) {
      const gates = own.filter(({ assignment, kind }) => assignment === key && kind !== 'turn');
      hold(gates.length === (status === 'failed' ? 1 : 0), `${key} is ${status} and has ${gates.length} open gates`);
    }
    const isAsking = own.length > 0 || run.published.some(({ isRestored }) => isRestored);
    hold(phase.state !== 'failed' || isAsking, `phase ${phase.key} failed, but nobody is asked`);
  }
}

function asks(run: Run, phase: Phase, { kind, gateKey, assignment, laneId, attempt }: Approval): boolean {
  if (gateKey === 'iterations_exhausted' || gateKey === 'objective_not_met')
    return phase.state === 'completed' || phase.state === 'skipped';
  // It holds whatever the run would do next on its host.
  if (gateKey === HOST_GATE)
    return keepsWorkOfSilentHost(run) && phase.state !== 'completed' && phase.state !== 'skipped';
  if (gateKey === SETUP_GATE) {
    const lane = run.lanes.find(({ id }) => id === laneId);
    return phase.state !== 'pending' && lane?.setup?.state === 'failed' && !isSetUp(run, lane);
  }
  if (laneId !== null) {
    const lane = run.lanes.find(({ id }) => id === laneId);
    const isAsking = ('dag' in phase && phase.dag !== null) || ('review' in phase && phase.review !== null);
    return attempt === phase.attempts && isAsking && (lane?.state === 'open' || lane?.state === 'queued');
  }
  if (kind === 'turn') {
    const about = phase.assignments.find(({ key }) => key === assignment);
    const session = run.sessions.find(({ id }) => id === about?.sessionId);
    return about?.status === 'prompted' && about.attempt === attempt && session?.stall?.cause === 'idle';
  }
  if (assignment !== null) {
    return phase.assignments.some(
      (each) => each.key === assignment && each.status === 'failed' && each.attempt === attempt,
    );
  }
  return attempt === phase.attempts && phase.state === (kind === 'gate' ? 'awaiting_approval' : 'failed');
}

/** A run waits at its gates exactly while it waits for decisions alone. */
export function stateFollows(run: Run): void {
  if (isTerminal(run.state)) return;
  const waits = waitsFor(run);
  const sentences = waits.map(({ party, sentence }) => `${party} ${sentence}`).join(', ');
  if (run.frozen) {
    hold(run.state === 'paused', `a frozen run is ${run.state}`);
    hold(
      waits.every(({ party }) => party === 'person'),
      `a frozen run waits for ${sentences}`,
    );
    return;
  }
  // The run depends on no message.
  const others = waits.filter((wait) => wait.party !== 'person' || wait.messageId === undefined);
  const onlyDecisions = others.every((wait) => wait.party === 'person' && wait.approvalRequestId !== undefined);
  const atGates = run.state === 'awaiting_approval' || run.state === 'paused';
  hold(atGates === onlyDecisions, `a run that is ${run.state} waits for ${sentences}`);
  const onlyRecoveries = openGates(run).every(({ kind }) => kind === 'recovery');
  hold(!atGates || (run.state === 'paused') === onlyRecoveries, `a run that is ${run.state} waits for ${sentences}`);
}
