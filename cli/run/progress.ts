import { decidable } from '../../schemas/gates/decidable.ts';
import { blocksRun, holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { gateAbout } from '../../schemas/gates/gateWords.ts';
import { agentName } from '../../schemas/mainLane.ts';
import type { PhaseView, RunDetail } from '../../schemas/rpc/views/run.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { phaseState, runState } from '../../schemas/states/run.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { howToDecide } from '../print/run/approval.ts';
import { shortId, stallText, visible } from '../print/text.ts';

/** The last printed state of a run, to compare with its current one. */
export interface Snapshot {
  state: string;
  phases: Record<string, string>;
  approvals: Record<string, string>;
  /** Why an agent is stalled, by session. */
  stalls: Record<string, string | null>;
}

export const NO_SNAPSHOT: Snapshot = { state: '', phases: {}, approvals: {}, stalls: {} };

export function snapshotOf(run: RunDetail): Snapshot {
  return {
    state: run.state,
    phases: Object.fromEntries(run.phases.map((phase) => [phase.key, phaseMark(phase)])),
    approvals: Object.fromEntries(run.approvals.map(({ id, state }) => [id, state])),
    stalls: Object.fromEntries(run.sessions.map(({ sessionId, stall }) => [sessionId, stallText(stall)])),
  };
}

const phaseMark = (phase: Pick<PhaseView, 'state' | 'waits' | 'attempts'>) =>
  [phaseState(phase).word, phase.attempts].join(' ');

/** The lines for everything that changed since. */
export function progressLines(before: Snapshot, run: RunDetail): string[] {
  return [
    ...resolvedLines(before, run),
    ...phaseLines(before, run),
    ...stallLines(before, run),
    ...askedLines(before, run),
    ...stateLines(before, run),
  ];
}

export function phaseLines(before: Snapshot, run: RunDetail): string[] {
  return run.phases.flatMap((phase) => {
    const { key, state, attempts } = phase;
    if (state === 'pending' || before.phases[key] === phaseMark(phase)) return [];
    return [`${key}: ${phaseState(phase).word}${attempts > 1 ? ` (attempt ${attempts})` : ''}`];
  });
}

function stallLines(before: Snapshot, run: RunDetail): string[] {
  return run.sessions.flatMap((session) => {
    const { sessionId, stall } = session;
    const [then, now] = [before.stalls[sessionId] ?? null, stallText(stall)];
    if (then === now) return [];
    if (now === null) return session.state === 'ENDED' ? [] : [`${agentName(session)} continues`];
    return [`${agentName(session)} ${now}; see its pane with devflow attach ${shortId(sessionId)}`];
  });
}

function resolvedLines(before: Snapshot, run: RunDetail): string[] {
  return run.approvals.filter(blocksRun).flatMap((gate) => {
    const { id, state } = gate;
    const isResolved = before.approvals[id] !== undefined && before.approvals[id] !== state && state !== 'pending';
    return isResolved ? [`${nameOf(gate)}: ${gateState(gate).word}`] : [];
  });
}

function askedLines(before: Snapshot, run: RunDetail): string[] {
  return run.approvals.filter(blocksRun).flatMap((gate) => {
    const { id, state } = gate;
    if (state !== 'pending' || before.approvals[id] === state) return [];
    const why = holdsFailure(gate)
      ? ` (devflow cannot continue alone${run.reason ? `: ${visible(withLocalTimes(run.reason))}` : ''})`
      : '';
    const asked = `${nameOf(gate)}: waiting for your decision${why}; see devflow approval show ${shortId(id)}`;
    return [asked, ...howToDecide(id, decidable(gate, run.state)).trimEnd().split('\n')];
  });
}

export function stateLines(before: Snapshot, run: RunDetail): string[] {
  if (before.state === run.state || !['paused', 'completed', 'failed', 'aborted'].includes(run.state)) return [];
  const why =
    run.reason && run.state !== 'completed' ? `: ${visible(withLocalTimes(run.reason)).replace(/\.$/, '')}` : '';
  const next =
    run.state === 'paused' && !hasGate(run) ? ` Resume it with devflow run resume ${shortId(run.runId)}.` : '';
  return [`run ${shortId(run.runId)}: ${runState(run).word}${why}${next && `.${next}`}`];
}

/** The gate, and the lane or assignment that it is about. */
function nameOf(gate: RunDetail['approvals'][number]): string {
  const about = gateAbout(gate);
  return about === null ? gate.gateKey : `${gate.gateKey} (${about})`;
}

function hasGate(run: RunDetail): boolean {
  return run.approvals.filter(blocksRun).some(({ state }) => state === 'pending');
}

/** The status line for a terminal. */
export function liveLine(run: RunDetail, seconds: number): string {
  const phase = run.phases.find(({ key }) => key === run.currentPhase);
  const parts = [
    runState(run).word,
    phase && `${phase.key} ${phaseState(phase).word}`,
    run.waitingFor && `waiting for ${withLocalTimes(run.waitingFor)}`,
  ];
  return `${parts
    .filter(Boolean)
    .map((part) => visible(part as string))
    .join(' · ')} · ${seconds}s`;
}
