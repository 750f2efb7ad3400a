import type { ApprovalState, RunPhaseState, RunState } from '../../schemas/enums.ts';
import { type Line, line, type Span, span } from './line.ts';
import { type StateWord, stateSpan, wordOf } from './stateWord.ts';
import { theme } from './theme.ts';

const RUN: Readonly<Record<RunState, StateWord>> = {
  created: ['·', 'created', theme.muted],
  bound: ['◌', 'bound', theme.accent],
  planning: ['●', 'planning', theme.accent],
  awaiting_approval: ['?', 'decision', theme.warn],
  executing: ['●', 'executing', theme.accent],
  paused: ['○', 'paused', theme.warn],
  completed: ['✓', 'completed', theme.good],
  failed: ['✗', 'failed', theme.bad],
  aborted: ['✗', 'aborted', theme.muted],
};

const PHASE: Readonly<Record<RunPhaseState, StateWord>> = {
  pending: ['·', 'not yet', theme.muted],
  running: ['●', 'running', theme.accent],
  awaiting_artifact: ['●', 'at work', theme.accent],
  validating: ['●', 'validating', theme.accent],
  awaiting_approval: ['?', 'decision', theme.warn],
  completed: ['✓', 'completed', theme.good],
  failed: ['✗', 'failed', theme.bad],
  skipped: ['–', 'skipped', theme.muted],
};

const GATE: Readonly<Record<ApprovalState, StateWord>> = {
  pending: ['?', 'waits for you', theme.warn],
  approved: ['✓', 'approved', theme.good],
  rejected: ['✗', 'rejected', theme.bad],
  changes_requested: ['→', 'changes asked', theme.warn],
  aborted: ['✗', 'aborted', theme.muted],
  paused: ['○', 'timed out', theme.warn],
};

/** A run that nobody but a person can move says so, whatever its state is. */
export function runWord({ state, waitsForPerson }: { state: RunState; waitsForPerson: boolean }): Line {
  if (waitsForPerson && state !== 'awaiting_approval' && state !== 'paused') return [span('! needs you', theme.warn)];
  return [stateSpan(wordOf(RUN, state))];
}

export function phaseWord(state: RunPhaseState): Line {
  return [stateSpan(wordOf(PHASE, state))];
}

/** The sign alone, and the look of what stands beside it. */
export function phaseSign(state: RunPhaseState): Span {
  const [sign, , look] = wordOf(PHASE, state);
  return span(sign, look);
}

export function gateWord(state: ApprovalState): Line {
  return [stateSpan(wordOf(GATE, state))];
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
  return waitingFor === 'devflow run resume' ? 'you: r resumes it' : waitingFor;
}

/** A fact with its name before it. */
export function fact(name: string, value: string | Line | null | undefined, width = 12): Line[] {
  if (value === null || value === undefined || value === '') return [];
  return [line(span(name.padEnd(width), theme.muted), ...(typeof value === 'string' ? [value] : value))];
}
