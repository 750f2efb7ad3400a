import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { onOutcome, onSignal } from '../../../../daemon/core/transition.ts';
import { ApprovalDecisionAction, StallCause } from '../../../../schemas/enums.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { isSignal } from './given.ts';
import { errorRecord, outcomesOf } from './outcomes.ts';
import { second } from './run.ts';

/** Every possible outcome of the due effects. */
export const dueOutcomes = (run: Run): Outcome[] => decide(run).flatMap((effect) => outcomesOf(effect, run));

/** Every report about any session at any time, requested or not. */
export const sessionNews = (run: Run): Outcome[] =>
  run.sessions.flatMap(({ id: sessionId }): Outcome[] => [
    { type: 'sessionLost', sessionId, error: errorRecord('network_blip') },
    { type: 'sessionReady', sessionId },
    { type: 'sessionRecovered', sessionId, how: 'resume' },
    { type: 'sessionRecovered', sessionId, how: 'rebootstrap' },
    ...stallsOf(sessionId),
  ]);

/** What is said about the host of the run at any time, if it is true or not. */
export const hostNews = (run: Run): Outcome[] => [
  { type: 'hostReturned' },
  ...decide(run).map(({ key }): Outcome => ({ type: 'effectFailed', key, error: errorRecord('host_unreachable') })),
];

/** Every stall that adapters report, and its end. `turn_over` is the core's own word for an agent that a person leads. */
export const stallsOf = (sessionId: string): Outcome[] => [
  { type: 'sessionStalled', sessionId, stall: null },
  ...StallCause.exclude(['turn_over']).options.map((cause): Outcome => {
    const until = cause === 'quota' ? '2026-01-01T01:00:00.000Z' : null;
    return { type: 'sessionStalled', sessionId, stall: { cause, detail: `it is ${cause}`, until } };
  }),
];

/** Every signal of a person, with a comment or without, with any of these tokens. */
export function signalsAt(run: Run, tokens: readonly string[]): Signal[] {
  const approvals = [...run.approvals.slice(-3).map(({ id }) => id), 'no such approval'];
  const decisions = approvals.flatMap((approvalRequestId) =>
    ApprovalDecisionAction.options.flatMap((action) =>
      tokens.map((clientToken): Signal => {
        const comment = clientToken === tokens[0] ? null : 'do it otherwise';
        return { type: 'decide', approvalRequestId, action, comment, clientToken };
      }),
    ),
  );
  return [
    { type: 'pause', reason: 'lunch' },
    { type: 'resume' },
    { type: 'abort', reason: 'enough' },
    { type: 'askCleanup', lane: 'main', path: run.worktreeRoot, files: ['new.ts'], filesHash: 'hash of new.ts' },
    { type: 'applied', target: 'main', commit: 'new', onto: 'old', head: 'work', way: 'merge' },
    ...(run.template.exchange ? ofExchange(run) : []),
    ...(run.template.name === 'direct' ? ofLed : []),
    ...decisions,
  ];
}

/** What a person says of the work of an agent that they lead. */
const ofLed: Signal[] = [
  { type: 'finish', now: false },
  { type: 'finish', now: true },
];

/** What only runs with the files of a convention show. */
function ofExchange({ phases }: Run): Signal[] {
  const skips = phases.map(({ key: phaseKey }): Signal => ({ type: 'skip', phaseKey, reason: 'It is there.' }));
  const said = [0, 1, 2].map((number): Signal => ({ type: 'progress', number, name: `part-${number}`, detail: '' }));
  return [...skips, ...said];
}

/** The step of an input; none for a refused signal. */
export function stepOf(run: Run, input: Outcome | Signal): { run: Run; events: RunEvent[] } {
  const ts = second(run.lastSeq);
  if (!isSignal(input)) return onOutcome(run, input, ts);
  const answer = onSignal(run, input, ts);
  return 'refused' in answer ? { run, events: [] } : answer;
}
