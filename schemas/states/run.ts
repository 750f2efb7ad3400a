import type { RunPhaseState, RunState } from '../enums.ts';
import type { RunOutcome } from '../rpc/views/outcome.ts';
import type { QueuePlace } from '../rpc/views/queue.ts';
import { outcomeState } from './outcome.ts';
import { type State, stateOf } from './state.ts';

const DECIDE = 'Decide its gate: screen 2 of the dashboard (`prefix A`), or `devflow approval list`.';
const LOOK_AT_IT = 'Look at the report: `devflow run report`. `devflow cleanup` removes its worktrees.';

export const RUN_STATES: Readonly<Record<RunState, State>> = {
  created: { sign: '·', word: 'created', look: 'quiet', means: 'its roles have no personas yet', asks: null },
  bound: { sign: '◌', word: 'bound', look: 'busy', means: 'its roles have their personas, and it starts', asks: null },
  planning: { sign: '●', word: 'planning', look: 'busy', means: 'agents plan the work', asks: null },
  awaiting_approval: { sign: '?', word: 'decision', look: 'ask', means: 'a gate waits for you', asks: DECIDE },
  executing: { sign: '●', word: 'executing', look: 'busy', means: 'agents and commands do the work', asks: null },
  paused: {
    sign: '○',
    word: 'paused',
    look: 'ask',
    means: 'nothing new starts: you paused it, a gate timed out, or devflow cannot continue alone',
    asks: 'Decide its recovery gate if it has one, else resume it: `r` on the run, or `devflow run resume`.',
  },
  completed: {
    sign: '✓',
    word: 'completed',
    look: 'good',
    means: 'all phases are done',
    asks: 'Look at the changes (`devflow run diff`, or `D`) and apply them (`devflow run apply`, or `M`).',
  },
  failed: { sign: '✗', word: 'failed', look: 'bad', means: 'it ended before its work was done', asks: LOOK_AT_IT },
  aborted: { sign: '✗', word: 'aborted', look: 'quiet', means: 'you ended it', asks: LOOK_AT_IT },
};

/** A run that needs a person, though it is neither at a gate nor paused. */
export const RUN_NEEDS_YOU: State = {
  sign: '!',
  word: 'needs you',
  look: 'ask',
  means: 'one of its agents waits for a person, or the run before it did not complete',
  asks: 'Go to that agent: `prefix J` in tmux, `A` in the dashboard, or `devflow attach <run>`.',
};

/** A run that has not begun, because others are at work or come first. */
export const RUN_QUEUED: State = {
  sign: '◌',
  word: 'queued',
  look: 'quiet',
  means: 'it begins once fewer runs are at work, or the run before it is done',
  asks: null,
};

/** A completed run whose work a branch of the person got. What became of it since, git says. */
export const RUN_APPLIED: State = {
  sign: '✓',
  word: 'applied',
  look: 'quiet',
  means: 'you took its work over',
  asks: 'Remove what applied runs left: `devflow cleanup --ended --applied`.',
};

/** The state of a run for people. A review that is completed says what it says about the change. */
export function runState({
  state,
  waitsForPerson = false,
  outcome,
  appliedAt,
  queue,
}: {
  state: RunState;
  waitsForPerson?: boolean;
  outcome?: RunOutcome | undefined;
  appliedAt?: string | null | undefined;
  queue?: QueuePlace | undefined;
}): State {
  if (outcome && state === 'completed') return outcomeState(outcome);
  if (appliedAt && state === 'completed') return RUN_APPLIED;
  if (waitsForPerson && state !== 'awaiting_approval' && state !== 'paused') return RUN_NEEDS_YOU;
  return queue ? RUN_QUEUED : stateOf(RUN_STATES, state);
}

export const PHASE_STATES: Readonly<Record<RunPhaseState, State>> = {
  pending: { sign: '·', word: 'not yet', look: 'quiet', means: 'earlier phases come first', asks: null },
  running: { sign: '●', word: 'running', look: 'busy', means: 'its agents or commands start', asks: null },
  awaiting_artifact: { sign: '●', word: 'at work', look: 'busy', means: 'an agent works on its file', asks: null },
  validating: { sign: '●', word: 'validating', look: 'busy', means: 'devflow checks the file', asks: null },
  awaiting_approval: { sign: '?', word: 'decision', look: 'ask', means: 'its work waits at a gate', asks: DECIDE },
  completed: { sign: '✓', word: 'completed', look: 'good', means: 'it is done', asks: null },
  failed: {
    sign: '✗',
    word: 'failed',
    look: 'bad',
    means: 'devflow could not complete it',
    asks: 'Decide the recovery gate of its run, if that is open: screen 2, or `devflow approval list`.',
  },
  skipped: { sign: '–', word: 'skipped', look: 'quiet', means: 'it has nothing to do in this run', asks: null },
};

/** The state of a phase for people: while a failed attempt is at a gate, it has not failed. */
export function phaseState({ state, waits }: { state: RunPhaseState; waits?: boolean | undefined }): State {
  return stateOf(PHASE_STATES, waits ? 'awaiting_approval' : state);
}
