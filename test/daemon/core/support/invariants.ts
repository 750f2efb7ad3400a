import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { evolve } from '../../../../daemon/core/evolve/evolve.ts';
import { APPROVAL_STEPS } from '../../../../daemon/core/machines/approval.ts';
import { PHASE_STEPS } from '../../../../daemon/core/machines/phase.ts';
import { RUN_STEPS } from '../../../../daemon/core/machines/run.ts';
import { SESSION_STEPS } from '../../../../daemon/core/machines/session.ts';
import type { WaitsFor } from '../../../../daemon/core/phases/kindRules.ts';
import { currentPhase, sessionOf } from '../../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { onOutcome, onSignal } from '../../../../daemon/core/transition.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { gatesOf } from '../../../../schemas/definitions/template.ts';
import { isTerminal } from '../../../../schemas/enums.ts';
import { parseEventPayload, type RunEvent } from '../../../../schemas/events/index.ts';
import { decidable } from '../../../../schemas/gates/decidable.ts';
import { HOST_GATE } from '../../../../schemas/gates/ownGates.ts';
import { gatesAreAsked, keepsValidWork, stateFollows } from './gateInvariants.ts';
import { hold } from './hold.ts';
import { outcomesOf, resultsOf } from './outcomes.ts';

/** What must hold of every step of every run. Each check throws a sentence that names the violation. */

const pairs = (table: readonly { from: string; to: string }[]) => new Set(table.map(({ from, to }) => `${from}>${to}`));
const TABLES = {
  run: pairs(RUN_STEPS),
  phase: pairs(PHASE_STEPS),
  approval: pairs(APPROVAL_STEPS),
  session: pairs(SESSION_STEPS),
};
/** Session states without their own event are passed through within one event. */
const PASSED_THROUGH = ['CREATED', 'RESUMING', 'REBOOTSTRAPPED'];

function reaches(table: Set<string>, from: string, to: string): boolean {
  if (table.has(`${from}>${to}`)) return true;
  return PASSED_THROUGH.some((via) => table.has(`${from}>${via}`) && via !== from && reaches(table, via, to));
}

function moved(machine: keyof typeof TABLES, what: string, from: string, to: string): void {
  hold(from === to || reaches(TABLES[machine], from, to), `${what} went from ${from} to ${to}, which no row has`);
}

/** Every state changed along a row of its table. */
function onlyLegalMoves(before: Run, after: Run): void {
  moved('run', 'the run', before.state, after.state);
  for (const [i, phase] of after.phases.entries()) {
    moved('phase', `phase ${phase.key}`, before.phases[i]?.state ?? '', phase.state);
  }
  for (const [i, approval] of after.approvals.entries()) {
    moved('approval', `gate ${approval.gateKey}`, before.approvals[i]?.state ?? 'pending', approval.state);
  }
  for (const [i, session] of after.sessions.entries()) {
    moved('session', `session ${session.roleId}`, before.sessions[i]?.state ?? 'CREATED', session.state);
  }
}

/** Promise 5: a gate is passed only by a decision bound to the gate, the attempt and the artifact. */
function onlyDecidedGates(after: Run, event: RunEvent): void {
  if (event.type !== 'phase.completed') return;
  const phase = after.phases.find((candidate) => candidate.id === event.phaseId);
  const definition = after.template.phases.find((candidate) => candidate.key === phase?.key);
  hold(phase !== undefined && definition !== undefined, 'a phase that is not there was completed');
  for (const gate of gatesOf(after.template, definition)) {
    const decided = (approval: Approval) =>
      approval.gateKey === gate &&
      approval.kind === 'gate' &&
      approval.phaseId === phase.id &&
      approval.attempt === phase.attempts &&
      approval.state === 'approved' &&
      approval.decision?.action === 'approve';
    const passes = after.approvals.filter(decided);
    hold(passes.length === 1, `${phase.key} was completed with ${passes.length} approvals of ${gate}`);
    const hashes = phase.assignments.map((work) => work.artifact?.hash);
    if (hashes.length === 1)
      hold(passes[0]?.artifactHash === hashes[0], `${gate} was approved for another artifact than the present one`);
  }
}

/** After the end of a run, its last files are committed, its work is applied, and a person may be asked for uncommitted work. */
function ofEnd(run: Run, event: RunEvent): boolean {
  if (event.type === 'run.delivered') return run.delivered === null;
  if (event.type === 'run.applied') return true;
  if (event.type === 'approval.requested') return event.payload.kind === 'cleanup';
  if (event.type !== 'approval.resolved') return false;
  const { approvalRequestId } = event.payload;
  return run.approvals.some((approval) => approval.id === approvalRequestId && approval.kind === 'cleanup');
}

/** The earlier record. A layer over another does not change it, and does not copy it. */
class Seen {
  readonly #below: Seen | undefined;
  readonly #own: Set<string>;

  constructor(below?: Seen, own: Iterable<string> = []) {
    this.#below = below;
    this.#own = new Set(own);
  }

  has(key: string): boolean {
    return this.#own.has(key) || (this.#below?.has(key) ?? false);
  }

  add(key: string): void {
    this.#own.add(key);
  }
}

/** The record of one run. The checks show it every step. */
export interface Log {
  run: Run;
  /** Of a branch: from the last event before it. */
  events: RunEvent[];
  keys: Seen;
  sent: Seen;
}

export function newLog({ run, events }: Step): Log {
  const keys = events.map((event) => event.idempotencyKey);
  return { run, events: [...events], keys: new Seen(undefined, keys), sent: new Seen() };
}

/** A log that continues this one, which does not change. */
export function branchOf({ run, events, keys, sent }: Log): Log {
  return { run, events: events.slice(-1), keys: new Seen(keys), sent: new Seen(sent) };
}

type Step = { run: Run; events: RunEvent[] };

/** Adds a step to the log. Checks the step and the state after it. */
export function checkStep(log: Log, next: Step): void {
  checkEvents(log, next);
  checkState(next.run);
}

/** What must hold of one state, however the run got there. */
export function checkState(run: Run): void {
  neverStuck(run);
  consistent(run);
  if (run.behaviour < 3) return;
  gatesAreAsked(run);
  stateFollows(run);
}

/** Adds a step to the log and checks each event in its place. */
export function checkEvents(log: Log, next: Step): void {
  let at = log.run;
  for (const event of next.events) {
    hold(event.seq === at.lastSeq + 1, `seq ${event.seq} follows ${at.lastSeq}`);
    hold(!log.keys.has(event.idempotencyKey), `the key ${event.idempotencyKey} came twice`);
    hold(!isTerminal(at.state) || ofEnd(at, event), `${event.type} came after the end`);
    parseEventPayload(event.type, event.payload);
    if (event.type === 'prompt.sent' || event.type === 'prompt.repaired') {
      hold(!log.sent.has(event.payload.dedupKey), `the prompt ${event.payload.dedupKey} was sent twice`);
      log.sent.add(event.payload.dedupKey);
    }
    if (event.type === 'run.resumed' && at.state === 'awaiting_approval') {
      hold(log.events.at(-1)?.type === 'approval.resolved', 'the run left its gate without a decision');
    }
    const after = evolve(at, event);
    hold(!isTerminal(at.state) || after.state === at.state, `${event.type} moved a run that had ended`);
    onlyLegalMoves(at, after);
    onlyDecidedGates(after, event);
    if (at.behaviour >= 3) keepsValidWork(at, after, event);
    log.keys.add(event.idempotencyKey);
    log.events.push(event);
    at = after;
  }
  log.run = next.run;
}

/** Somebody can move every run that has not ended. */
function neverStuck(run: Run): void {
  const effects = decide(run);
  hold(new Set(effects.map((effect) => effect.key)).size === effects.length, 'two effects have one key');
  const waits = waitsFor(run);
  hold(isTerminal(run.state) === (waits.length === 0), `a ${run.state} run waits for ${waits.length}`);
  const people = waits.filter((wait) => wait.party === 'person');
  if (!isTerminal(run.state) && people.length === 0) {
    hold(
      effects.length > 0 || isLedAtWork(run),
      `the ${run.state} run waits for ${waits[0]?.party}, but nothing is going on`,
    );
  }
  for (const wait of people) canAct(run, wait);
}

/** The program of an agent that a person leads works, or waits for its limit, without an effect of devflow. */
function isLedAtWork(run: Run): boolean {
  const phase = currentPhase(run);
  return (
    phase?.kind === 'direct' && phase.assignments.some(({ sessionId }) => sessionOf(run, sessionId)?.state === 'BUSY')
  );
}

/** What a person is asked for moves the run. */
function canAct(
  run: Run,
  { sessionId, approvalRequestId, messageId, sentence }: Extract<WaitsFor, { party: 'person' }>,
): void {
  if (messageId) {
    const said = onSignal(
      run,
      { type: 'settleMessage', messageId, taken: true, clientToken: 'a way on' },
      run.updatedAt,
    );
    hold(!('refused' in said) && said.events.length > 0, `${sentence} does not move the ${run.state} run`);
    return;
  }
  // A person answers the agent in its pane. The agent then reports that it continues.
  if (sessionId) {
    // One without a stall waits for its first turn.
    const stall = sessionOf(run, sessionId)?.stall ? null : ({ cause: 'idle', detail: '', until: null } as const);
    const goesOn = onOutcome(run, { type: 'sessionStalled', sessionId, stall }, run.updatedAt);
    hold(goesOn.events.length > 0, `${sentence} does not move the ${run.state} run`);
    return;
  }
  const gate = run.approvals.find(({ id }) => id === approvalRequestId);
  // A person can only end the run there. Its host moves it.
  if (gate?.gateKey === HOST_GATE) {
    const back = onOutcome(run, { type: 'hostReturned' }, run.updatedAt);
    hold(back.events.length > 0, `${sentence} is not withdrawn once the host is back`);
    return;
  }
  // A file that cannot be taken can go back.
  const taken = gate && decidable(gate, run.state);
  const action = taken?.includes('approve') ? 'approve' : 'request_changes';
  const signal = approvalRequestId
    ? ({ type: 'decide', approvalRequestId, action, comment: null, clientToken: 'a way on' } as const)
    : ({ type: 'resume' } as const);
  const answer = onSignal(run, signal, run.updatedAt);
  hold(!('refused' in answer) && answer.events.length > 0, `${sentence} does not move the ${run.state} run`);
}

/**
 * An interpreter starts an effect once per state, so an outcome without a result would leave the run stuck. Every
 * outcome of a due effect must therefore move the run. The only exception is a failed timer, where a person can still
 * decide.
 */
export function dueMoves(run: Run, stepOf: (run: Run, outcome: Outcome) => { events: RunEvent[] }): void {
  if (isTerminal(run.state)) return;
  for (const effect of decide(run)) {
    for (const outcome of effect.type === 'expireApproval' ? resultsOf(effect, run) : outcomesOf(effect, run)) {
      hold(stepOf(run, outcome).events.length > 0, `${outcome.type} of the due ${effect.key} does not move the run`);
    }
  }
}

/** Facts about one state, however the run got there. */
function consistent(run: Run): void {
  const anyOpen = run.approvals.filter(({ state }) => state === 'pending' || state === 'paused');
  const open = anyOpen.filter(({ kind }) => kind !== 'cleanup' && kind !== 'agent');
  const ended = isTerminal(run.state);
  const asked = anyOpen.filter(({ kind }) => kind === 'agent').map(({ subject }) => subject);
  for (const { sessionId, cause } of asked) {
    const session = run.sessions.find(({ id }) => id === sessionId);
    hold(!ended && session?.stall?.cause === cause, `a gate is open for an agent that does not ask: ${cause}`);
  }
  const each = new Set(asked.map(({ sessionId }) => sessionId));
  hold(each.size === asked.length, 'an agent has two open gates');
  const least = run.behaviour >= 3 ? open.length : 1;
  hold(open.length <= (ended ? 0 : least), `a ${run.state} run has ${open.length} open gates`);
  const subjects = open.map(({ phaseId, assignment, laneId, gateKey, subject }) => {
    const findings = gateKey === 'review_dispute' ? subject.findings : '';
    return `${phaseId} ${assignment} ${laneId} ${findings}`;
  });
  hold(new Set(subjects).size === subjects.length, 'two open gates are about the same');
  hold((run.state === 'paused') === (run.pausedFrom !== null), `a ${run.state} run was paused from ${run.pausedFrom}`);
  const present = new Set(run.phases.map((phase) => `${phase.id}:${phase.attempts}`));
  const allRunning = run.commands.filter((command) => command.state === 'started');
  hold(!ended || allRunning.length === 0, `a ${run.state} run has ${allRunning.length} open commands`);
  const ofSetups = allRunning.filter(({ kind }) => kind === 'setup').map(({ laneId }) => laneId);
  hold(new Set(ofSetups).size === ofSetups.length, 'two commands set up one lane');
  // A command may wait until its lane is set up again. Another attempt of the phase ends no set-up.
  const running = allRunning.filter(({ kind }) => kind !== 'setup');
  const lanes = new Set(running.map(({ laneId }) => laneId));
  hold(running.length === (ended ? 0 : lanes.size), `a ${run.state} run has ${running.length} open commands`);
  for (const { roleId, state, stall } of run.sessions) {
    const asks = stall !== null && ['permission', 'question', 'dialog'].includes(stall.cause);
    hold(state !== 'WAITING_FOR_APPROVAL' || asks, `${roleId} waits for a person, who was asked nothing`);
    hold(state !== 'BUSY' || !asks, `${roleId} is busy, but asks a person`);
  }
  for (const command of running)
    hold(present.has(`${command.phaseId}:${command.attempt}`), 'a command of an attempt that is over is open');
}
