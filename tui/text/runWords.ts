import type { ApprovalState, RunPhaseState, RunState } from '../../schemas/enums.ts';
import { withLocalTimes } from '../../schemas/localTime.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { PHASE_STATES, runState } from '../../schemas/states/run.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { type Line, line, type Span, span } from './line.ts';
import { signSpan, stateSpan } from './stateSpan.ts';
import { theme } from './theme.ts';

/** A run that nobody but a person can move says so, whatever its state is. */
export function runWord(run: { state: RunState; waitsForPerson: boolean }): Line {
  return [stateSpan(runState(run))];
}

export function phaseWord(state: RunPhaseState): Line {
  return [stateSpan(stateOf(PHASE_STATES, state))];
}

/** The sign alone, and the look of what stands beside it. */
export function phaseSign(state: RunPhaseState): Span {
  return signSpan(stateOf(PHASE_STATES, state));
}

type Gate = { kind: string; state: ApprovalState; decisions?: readonly unknown[] };

export function gateWord(gate: Gate): Line {
  return [stateSpan(gateState(gate))];
}

export function gateSign(gate: Gate): Span {
  return signSpan(gateState(gate));
}

/** The beginning of an id: enough to tell one from another, and what every command takes. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}

/** `gate (phase)`, or the gate alone where both are called the same. */
export function gateName({ gateKey, phaseKey }: { gateKey: string; phaseKey: string | null }): string {
  return phaseKey === null || phaseKey === '' || phaseKey === gateKey ? gateKey : `${gateKey} (${phaseKey})`;
}

/** What a run waits for, for somebody who has the keys of the dashboard at hand. */
export function waitWords(waitingFor: string): string {
  return waitingFor === 'devflow run resume' ? 'you: r resumes it' : withLocalTimes(waitingFor);
}

/** A fact with its name before it. */
export function fact(name: string, value: string | Line | null | undefined, width = 12): Line[] {
  if (value === null || value === undefined || value === '') return [];
  return [line(span(name.padEnd(width), theme.muted), ...(typeof value === 'string' ? [value] : value))];
}
