import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { ApprovalDecisionAction, isTerminal } from '../../../../schemas/enums.ts';
import { canonical } from './canonical.ts';
import { isSignal } from './given.ts';
import { dueOutcomes, sessionNews, stepOf } from './inputs.ts';
import { branchOf, checkEvents, checkState, dueMoves, type Log, newLog } from './invariants.ts';
import { newRun, type Shape } from './run.ts';

type Input = Outcome | Signal;

/**
 * Which troubles agents have. Turns that end in an error are counted, and so triple the number of states; so do deaths
 * with each agent. Without deaths, prompts and artifacts still fail.
 */
export type Troubles = 'all' | 'all but errors' | 'no stalls' | 'no deaths';

function comes(outcome: Outcome, troubles: Troubles): boolean {
  if (troubles === 'no deaths' && isDeath(outcome)) return false;
  if (outcome.type !== 'sessionStalled' || troubles === 'all') return true;
  return troubles === 'all but errors' && outcome.stall?.cause !== 'error';
}

function isDeath(outcome: Outcome): boolean {
  if (outcome.type === 'promptDelivered') return outcome.takerEnded === true;
  return outcome.type === 'sessionLost' || outcome.type === 'artifactTimedOut';
}

/** Every possible input: these outcomes, reports about any session, and a person's signals. */
function inputsAt(run: Run, outcomes: readonly Outcome[], troubles: Troubles): Input[] {
  const decisions = openGates(run).flatMap(({ id: approvalRequestId }) =>
    ApprovalDecisionAction.options.map(
      (action): Signal => ({ type: 'decide', approvalRequestId, action, comment: null, clientToken: 'token' }),
    ),
  );
  return [
    ...[...outcomes, ...sessionNews(run)].filter((outcome) => comes(outcome, troubles)),
    { type: 'pause', reason: 'lunch' },
    { type: 'resume' },
    { type: 'abort', reason: 'enough' },
    ...decisions,
  ];
}

/** Inputs that anybody can give at any time do not prove that the run can continue. */
const givesUp = (input: Input) =>
  isSignal(input) &&
  (input.type === 'abort' || (input.type === 'decide' && ['abort', 'reject'].includes(input.action)));

/** All states of a run, numbered in the order in which they were found. */
export interface Walk {
  states: {
    key: string;
    run: Run['state'] /** From which a step leads here that gives nothing up. */;
    before: Set<number>;
  }[];
  steps: number;
}

/** Walks breadth first through all states of a run of this shape, and checks each step. */
export function walk(shape: Shape, troubles: Troubles): Walk {
  const found: Walk = { states: [], steps: 0 };
  const numbers = new Map<string, number>();
  const next: { at: number; log: Log; earlier: Outcome[] }[] = [];
  const visit = (key: string, log: Log, earlier: Outcome[]) => {
    const at = found.states.push({ key, run: log.run.state, before: new Set() }) - 1;
    numbers.set(key, at);
    next.push({ at, log, earlier });
    return at;
  };
  const start = newLog(newRun(shape));
  visit(canonical(start.run), start, []);
  for (let here = next.shift(); here; here = next.shift()) {
    const { at, log, earlier } = here;
    const due = dueOutcomes(log.run);
    for (const input of inputsAt(log.run, [...due, ...earlier], troubles)) {
      const step = stepOf(log.run, input);
      found.steps += 1;
      if (step.events.length === 0) continue;
      const branch = branchOf(log);
      checkEvents(branch, step);
      const key = canonical(step.run);
      let to = numbers.get(key);
      if (to === undefined) {
        checkState(step.run);
        dueMoves(step.run, stepOf);
        to = visit(key, branch, due);
      }
      if (!givesUp(input)) found.states[to]?.before.add(at);
    }
  }
  return found;
}

/** The states of runs that have not ended and that no path leads to completion. */
export function hopelessIn({ states }: Walk): string[] {
  const completed = states.flatMap(({ run }, at) => (run === 'completed' ? [at] : []));
  const saved = new Set(completed);
  const queue = [...completed];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const from of states[at]?.before ?? []) {
      if (saved.has(from)) continue;
      saved.add(from);
      queue.push(from);
    }
  }
  return states.flatMap(({ key, run }, at) => (isTerminal(run) || saved.has(at) ? [] : [key]));
}
