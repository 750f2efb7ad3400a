import { expect, test } from 'vitest';
import type { Signal } from '../../../../daemon/engine/core/handleSignal.ts';
import type { Outcome } from '../../../../daemon/engine/core/run/effect.ts';
import { openGates, recoveriesUsed } from '../../../../daemon/engine/core/run/query.ts';
import type { Run, Session } from '../../../../daemon/engine/core/run/state.ts';
import { ApprovalDecisionAction, isTerminal } from '../../../../schemas/enums.ts';
import { isSignal } from './support/given.ts';
import { dueOutcomes, sessionNews, stepOf } from './support/inputs.ts';
import { branchOf, checkEvents, checkState, dueMoves, type Log, newLog } from './support/invariants.ts';
import { newRun, type Shape } from './support/run.ts';

/** What distinguishes two states: all that a decision depends on. Not ids, times, paths or counts of attempts. */
function canonical(run: Run): string {
  return JSON.stringify([
    run.state,
    run.pausedFrom,
    run.decided !== null,
    run.phases.map(({ id, state, attempts, assignments, gatesPassed }) => [
      state,
      gatesPassed.length,
      assignments.map(({ status, repairsUsed, repair, resend, attempt, errors }) => [
        status,
        repairsUsed,
        !!repair,
        resend,
        run.behaviour >= 3 || attempt === attempts,
        Math.min(errors, 2),
      ]),
      run.commands.filter((c) => c.phaseId === id && c.attempt === attempts).map((command) => command.state),
    ]),
    // The gates of agents follow from their stalls.
    run.approvals
      .filter((a) => a.kind !== 'agent' && (a.state === 'pending' || a.state === 'paused'))
      .map((a) => [a.kind, a.gateKey, a.state]),
    run.sessions.map((s) => [s.state, Math.min(recoveriesUsed(s), 4), s.failedBefore, stallOf(s)]),
  ]);
}

/** For the core the three kinds of questions are equal. For an agent without work, every stall is only a delay. */
function stallOf({ stall, state }: Session): string | null {
  if (!stall || ['quota', 'error', 'idle', 'login'].includes(stall.cause)) return stall?.cause ?? null;
  return state === 'BUSY' || state === 'WAITING_FOR_APPROVAL' ? state : 'held up';
}

type Input = Outcome | Signal;

/** Which stalls come. Turns that end in an error are counted, and so triple the number of states. */
type Stalls = 'none' | 'all but errors' | 'all';

function comes(outcome: Outcome, stalls: Stalls): boolean {
  if (outcome.type !== 'sessionStalled' || stalls === 'all') return true;
  return stalls === 'all but errors' && outcome.stall?.cause !== 'error';
}

/**
 * Every possible input: outcomes of due effects, reports about any session, a person's signals, and outcomes that were
 * due one step ago.
 */
function inputsAt(run: Run, earlier: readonly Outcome[], stalls: Stalls): Input[] {
  const gate = openGates(run)[0];
  const decisions = ApprovalDecisionAction.options.flatMap((action): Signal[] =>
    gate ? [{ type: 'decide', approvalRequestId: gate.id, action, comment: null, clientToken: 'token' }] : [],
  );
  return [
    ...dueOutcomes(run),
    ...sessionNews(run).filter((outcome) => comes(outcome, stalls)),
    ...earlier,
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

interface Walk {
  states: Map<string, Run>;
  /** For each state, the states from which a step leads there that gives nothing up. */
  before: Map<string, Set<string>>;
  steps: number;
}

/** Walks breadth first through all states of a run of this shape, and checks each step. */
function walk(shape: Shape, stalls: Stalls): Walk {
  const start = newRun(shape);
  const found: Walk = { states: new Map([[canonical(start.run), start.run]]), before: new Map(), steps: 0 };
  const queue: { log: Log; earlier: Outcome[] }[] = [{ log: newLog(start), earlier: [] }];
  for (let at = queue.shift(); at; at = queue.shift()) {
    const { log, earlier } = at;
    const from = canonical(log.run);
    for (const input of inputsAt(log.run, earlier, stalls)) {
      const next = stepOf(log.run, input);
      found.steps += 1;
      if (next.events.length === 0) continue;
      const branch = branchOf(log);
      checkEvents(branch, next);
      const to = canonical(next.run);
      if (!givesUp(input)) found.before.set(to, (found.before.get(to) ?? new Set()).add(from));
      if (found.states.has(to)) continue;
      checkState(next.run);
      dueMoves(next.run, stepOf);
      found.states.set(to, next.run);
      queue.push({ log: branch, earlier: dueOutcomes(log.run) });
    }
  }
  return found;
}

/** All states from which a path leads to one of `ends`. */
function leadingTo(ends: string[], { before }: Walk): Set<string> {
  const reached = new Set(ends);
  const queue = [...ends];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const from of before.get(at) ?? []) {
      if (reached.has(from)) continue;
      reached.add(from);
      queue.push(from);
    }
  }
  return reached;
}

const SMALL: [string, Shape, Stalls][] = [
  ['an agent phase, then a command phase with a gate', { template: 'withoutPlan' }, 'all but errors'],
  ['the same with behaviour 2, without stalls', { template: 'withoutPlan', behaviour: 2 }, 'none'],
  ['commands alone', { template: 'onlyCommands', approvalTimeoutMs: 5_000 }, 'all'],
  ['commands alone with behaviour 2', { template: 'onlyCommands', approvalTimeoutMs: 5_000, behaviour: 2 }, 'all'],
];
/**
 * Takes minutes: for a change to the core, with DEVFLOW_TEST_EXHAUSTIVE=1. With several agents it leaves out stalls,
 * which are the same for each session and would take hours.
 */
const LARGE: [string, Shape, Stalls][] = [
  ['an agent phase with behaviour 2', { template: 'withoutPlan', behaviour: 2 }, 'all but errors'],
  ['an agent phase, where turns end in errors', { template: 'withoutPlan' }, 'all'],
  [
    'an agent phase, then a command phase with a gate that times out',
    { template: 'withoutPlan', approvalTimeoutMs: 5_000 },
    'none',
  ],
  ['a phase with two gates, then another role', { template: 'twoGates' }, 'none'],
  ['two agents side by side', { template: 'twoInstances' }, 'none'],
];

test.each(process.env.DEVFLOW_TEST_EXHAUSTIVE ? [...SMALL, ...LARGE] : SMALL)(
  'every state of %s is lawful and has a way to completion',
  { timeout: 600_000 },
  (name, shape, stalls) => {
    const found = walk(shape, stalls);
    console.log(`${name}: ${found.states.size} states, ${found.steps} steps`);
    const completed = [...found.states].filter(([, run]) => run.state === 'completed').map(([key]) => key);
    expect(completed.length).toBeGreaterThan(0);
    const saved = leadingTo(completed, found);
    const hopeless = [...found.states].filter(([key, run]) => !isTerminal(run.state) && !saved.has(key));
    expect(hopeless.map(([key]) => key)).toEqual([]);
  },
);
