import type { ApprovalState, GateKind, RunPhaseState } from '../../schemas/enums.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { phaseState, runState } from '../../schemas/states/run.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import { type Line, line, type Span, span } from './line.ts';
import { signSpan, stateSpan } from './stateSpan.ts';
import { theme } from './theme.ts';

export { gateName } from '../../schemas/gates/gateWords.ts';

export function runWord(run: Parameters<typeof runState>[0]): Line {
  return [stateSpan(runState(run))];
}

/** `waits`: a person decides how its failed attempt goes on. */
export function phaseWord(state: RunPhaseState, waits?: boolean): Line {
  return [stateSpan(phaseState({ state, waits }))];
}

export function phaseSign(state: RunPhaseState, waits?: boolean): Span {
  return signSpan(phaseState({ state, waits }));
}

type Gate = { kind: GateKind; state: ApprovalState; decisions?: readonly unknown[] };

export function gateWord(gate: Gate): Line {
  return [stateSpan(gateState(gate))];
}

export function gateSign(gate: Gate): Span {
  return signSpan(gateState(gate));
}

/** The first eight characters of an id. Every command accepts them. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The short id and the title of a run, in a list of a question. An older daemon gives no title. */
export function runName({ runId, title = '' }: { runId: string; title?: string }): Line {
  return line(span(shortId(runId), theme.accent), ' ', span(title, theme.title));
}

/** The name of a run's repository, as ssh writes places: after its host, where devflow works on several. */
export function repositoryName({ repoPath, host }: { repoPath: string; host?: string | undefined }): string {
  return host === undefined ? baseName(repoPath) : `${host}:${baseName(repoPath)}`;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}

/** The reason why a run waits. A command becomes the key that does the same. */
export function waitWords(waitingFor: string): string {
  return waitingFor === 'devflow run resume' ? 'you: r resumes it' : withLocalTimes(waitingFor);
}

/** A row of a label and its value; no row if there is no value. */
export function fact(name: string, value: string | Line | null | undefined, width = 12): Line[] {
  if (value === null || value === undefined || value === '') return [];
  return [line(span(name.padEnd(width), theme.muted), ...(typeof value === 'string' ? [value] : value))];
}
