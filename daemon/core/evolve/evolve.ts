import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { eventKey, type NewEvent, type RunEvent } from '../../../schemas/events/index.ts';
import { workspaceRootOf } from '../../../schemas/files/runPaths.ts';
import type { SelfClosing } from '../../../schemas/gates/gateKinds.ts';
import { hash } from '../../../schemas/hash.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { evolveOfKind, isOfKind } from '../../kinds/index.ts';
import { withExchange } from '../exchange/exchange.ts';
import { exchangePaths } from '../exchange/paths.ts';
import { closeAnsweredGates } from '../gates/agentGate.ts';
import { closeTurnGates } from '../gates/turnGate.ts';
import { stepRun } from '../machines/run.ts';
import { keepsFailuresLocal, readsWithoutBranch } from '../run/behaviour.ts';
import { newLane } from '../run/lanes.ts';
import { activeStateAt, currentPhase } from '../run/query.ts';
import type { Lane, Run } from '../run/state.ts';
import { evolveApproval } from './evolveApproval.ts';
import { evolveAssignment } from './evolveAssignment.ts';
import { evolveCommand } from './evolveCommand.ts';
import { evolveContinued } from './evolveContinued.ts';
import { evolveIteration } from './evolveIteration.ts';
import { evolveMessage } from './evolveMessage.ts';
import { evolvePhase } from './evolvePhase.ts';
import { evolvePublished } from './evolvePublished.ts';
import { evolveRun } from './evolveRun.ts';
import { evolveSession } from './evolveSession.ts';
import { evolveSetup } from './evolveSetup.ts';
import { evolveStall } from './evolveStall.ts';
import { newPhase } from './newPhase.ts';

/** Closes the gates of these kinds whose agent went on. */
const CLOSE: Readonly<Record<SelfClosing, (run: Run, ts: string) => Run>> = {
  agent: closeAnsweredGates,
  turn: closeTurnGates,
};

/**
 * Folds one event into the run. Total over histories that the machines allow. Throws `internal_state_corruption` on a step
 * that no transition table has, because rows of such a history would be wrong.
 */
export function evolve(run: Run | undefined, event: RunEvent): Run {
  if (event.type === 'run.created') return withExchange(created(event), event);
  if (!run) throw new TypeError(`the log of ${event.runId} starts with ${event.type}`);
  const moved = step({ ...run, lastSeq: event.seq, updatedAt: event.ts }, event);
  const next = Object.values(CLOSE).reduce((at, close) => close(at, event.ts), moved);
  return withExchange(keepsFailuresLocal(next) ? withActiveState(next) : next, event);
}

/** Until it is known what goes on (`settle.ts`), an open run counts as active. */
function withActiveState(run: Run): Run {
  const phase = currentPhase(run);
  const isIdle = isTerminal(run.state) || run.state === 'created' || run.frozen;
  if (isIdle || (run.state === 'bound' && phase?.state === 'pending')) return run;
  const state = phase ? activeStateAt(run, phase.seq) : 'executing';
  return { ...run, state: state === run.state ? state : stepRun(run.state, state), pausedFrom: null };
}

type LaterEvent = Exclude<RunEvent, { type: 'run.created' }>;

function step(next: Run, event: LaterEvent): Run {
  if (isOfKind(event)) return evolveOfKind(next, event);
  switch (event.type) {
    case 'run.started':
    case 'run.paused':
    case 'run.resumed':
    case 'run.completed':
    case 'run.failed':
    case 'run.aborted':
    case 'run.delivered':
    case 'run.applied':
    case 'run.ranked':
    case 'run.titled':
      return evolveRun(next, event);
    case 'run.continued':
      return evolveContinued(next, event);
    case 'run.stalled':
      return evolveStall(next, event);
    case 'message.queued':
    case 'message.sent':
    case 'message.withdrawn':
    case 'message.doubted':
    case 'message.settled':
      return evolveMessage(next, event);
    case 'phase.started':
    case 'phase.completed':
    case 'phase.failed':
    case 'phase.skipped':
    case 'phase.progressed':
      return evolvePhase(next, event);
    case 'prompt.sent':
    case 'prompt.repaired':
    case 'artifact.expected':
    case 'artifact.validated':
    case 'artifact.edited':
    case 'artifact.invalid':
    case 'artifact.timeout':
    case 'artifact.missing':
      return evolveAssignment(next, event);
    case 'approval.requested':
    case 'approval.resolved':
    case 'approval.rule_checked':
    case 'approval.withdrawn':
      return evolveApproval(next, event);
    case 'session.created':
    case 'session.ready':
    case 'session.busy':
    case 'session.idle':
    case 'session.crashed':
    case 'session.recovered':
    case 'session.failed':
      return evolveSession(next, event);
    case 'command.started':
    case 'command.completed':
    case 'command.failed':
      return evolveCommand(next, event);
    case 'worktree.placed':
    case 'worktree.set_up':
    case 'worktree.outdated':
      return evolveSetup(next, event);
    case 'checkout.changed':
      return evolveCheckout(next, event);
    case 'artifact.published':
    case 'contract.drifted':
      return evolvePublished(next, event);
    case 'iteration.started':
    case 'iteration.completed':
      return evolveIteration(next, event);
    default:
      return event satisfies never;
  }
}

/** Gives a new event its seq, key and time. */
export function stamp(runId: string, lastSeq: number, event: NewEvent, ts: string): RunEvent {
  return { ...event, runId, seq: lastSeq + 1, idempotencyKey: eventKey(runId, event), ts };
}

type Created = Extract<RunEvent, { type: 'run.created' }>;

function created({ runId, seq, ts, payload }: Created): Run {
  const { repoPath, baseBranch, requirementsMd, objective, extra, templateHash } = payload;
  return {
    id: runId,
    behaviour: payload.behaviour,
    lastSeq: seq,
    state: 'created',
    pausedFrom: null,
    frozen: false,
    pauses: 0,
    templateId: payload.templateId,
    templateHash,
    template: payload.template,
    repoPath,
    repository: payload.repository ?? `${repoPath}/.git`,
    slot: payload.slot ?? 0,
    host: payload.host ?? null,
    baseBranch,
    baseCommit: payload.baseCommit,
    reviewHead: payload.reviewHead ?? null,
    worktreeRoot: payload.worktreeRoot,
    workspaceRoot: payload.workspaceRoot ?? workspaceRootOf(payload.worktreeRoot),
    branch: null,
    lastCommit: null,
    requirementsMd,
    title: payload.title ?? null,
    agentTitle: null,
    objective,
    extra,
    inputHash: inputHash({ templateHash, bindings: [], requirementsMd, objective, repoPath, baseBranch, extra }),
    overrides: payload.overrides,
    options: payload.options,
    setup: payload.setup ?? null,
    sandbox: payload.sandbox ?? null,
    wrap: payload.wrap ?? null,
    agentRights: payload.agentRights ?? null,
    autoGates: payload.autoGates ?? null,
    here: payload.here ?? false,
    after: payload.after ?? null,
    schedule: payload.schedule ?? null,
    rank: null,
    continued: null,
    bindings: [],
    phases: payload.phases.map((phase) => newPhase(phase, payload.template)),
    approvals: [],
    lanes: [mainLane(runId, payload)],
    sessions: [],
    artifacts: [],
    commands: [],
    comments: [],
    messages: [],
    checkoutChanges: [],
    skips: payload.skips ?? [],
    cycle: payload.cycle ?? 1,
    brought: payload.brought ?? null,
    iterations: [],
    evaluations: [],
    published: [],
    publications: 0,
    exchangePaths: exchangePaths({ ...payload, id: runId, createdAt: ts }),
    exchange: null,
    delivered: null,
    applied: [],
    decided: null,
    failure: null,
    createdAt: ts,
    startedAt: null,
    endedAt: null,
    updatedAt: ts,
    reportPath: null,
  };
}

function mainLane(runId: string, payload: Created['payload']): Lane {
  const { worktreeRoot, baseCommit, reviewHead = baseCommit } = payload;
  const branch = payload.here || readsWithoutBranch(payload) ? '' : `devflow/${runId}/main`;
  const lane = newLane({ id: MAIN, phaseId: null, roleId: null, path: worktreeRoot, branch, base: reviewHead });
  return { ...lane, ...defined({ isCheckout: payload.here }) };
}

/** The hash of everything that a run starts from. Until bindings are locked the list of their hashes is empty. */
export function inputHash(subject: {
  templateHash: string;
  bindings: string[];
  requirementsMd: string;
  objective: unknown;
  repoPath: string;
  baseBranch: string;
  extra: unknown;
}): string {
  return hash({ ...subject, bindings: [...subject.bindings].sort() });
}

/** Records what happened in the person's checkout while agents worked. */
function evolveCheckout(run: Run, { ts: at, payload }: Extract<RunEvent, { type: 'checkout.changed' }>): Run {
  return { ...run, checkoutChanges: [...run.checkoutChanges, { ...payload, at }] };
}
