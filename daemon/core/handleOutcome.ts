import { defined } from '../../schemas/defined.ts';
import { isTerminal } from '../../schemas/enums.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import { kindOf } from '../kinds/index.ts';
import type { Outcome, OutcomeOf, PhaseOutcome } from './effect/outcome.ts';
import { effectFailed } from './effectFailed.ts';
import { inputHash } from './evolve/evolve.ts';
import { filesDelivered } from './exchange/deliver.ts';
import { artifactPublished, publishingRefused } from './exchange/publish.ts';
import { hostReturned } from './gates/hostGate.ts';
import { messageDelivered } from './messages/messageOutcomes.ts';
import { artifactFound, artifactTimedOut, promptDelivered } from './promptOutcomes.ts';
import { ruleChecked } from './ruleChecked.ts';
import { currentPhase, isFrozen, isHeld, sessionOf } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';
import { sessionLost, sessionReady, sessionRecovered, sessionStalled } from './sessionOutcomes.ts';
import { setupFinished, setupOutdated, worktreePlaced } from './setupOutcomes.ts';
import { worktreeMoved, worktreeRead } from './worktreeOutcomes.ts';

/**
 * The events that follow from an outcome. A late outcome causes no event and is not an error. It is late if the run was
 * aborted, the attempt is over, or the log has the fact. After the end, only the last files are still delivered.
 */
export function handleOutcome(run: Run, outcome: Outcome): NewEvent[] {
  if (isTerminal(run.state)) return filesDelivered(run, outcome);
  switch (outcome.type) {
    case 'bindingsLocked':
      return bindingsLocked(run, outcome);
    case 'sessionReady':
      return sessionReady(run, sessionOf(run, outcome.sessionId));
    case 'sessionLost':
      return sessionLost(run, sessionOf(run, outcome.sessionId), outcome);
    case 'promptDelivered':
      return promptDelivered(run, outcome);
    case 'messageDelivered':
      return messageDelivered(run, outcome);
    case 'artifactFound':
      return artifactFound(run, outcome);
    case 'artifactTimedOut':
      return artifactTimedOut(run, outcome);
    case 'sessionStalled':
      return sessionStalled(run, sessionOf(run, outcome.sessionId), outcome);
    case 'sessionRecovered':
      return sessionRecovered(sessionOf(run, outcome.sessionId), outcome);
    case 'workCommitted': {
      const events = ofPhase(run, outcome);
      return events.length === 0 ? [] : [...checkoutChanged(run, outcome), ...events];
    }
    case 'worktreeRead':
      return worktreeRead(run, outcome);
    case 'artifactPublished':
      return artifactPublished(run, outcome);
    case 'publishingRefused':
      return publishingRefused(run, outcome);
    case 'worktreeMoved':
      return worktreeMoved(run, outcome);
    case 'worktreePlaced':
      return worktreePlaced(run, outcome);
    case 'setupFinished':
      return setupFinished(run, outcome);
    case 'setupOutdated':
      return setupOutdated(run, outcome);
    case 'commandEnded':
      return commandEnded(run, outcome);
    case 'approvalExpired':
      return approvalExpired(run, outcome);
    case 'ruleChecked':
      return ruleChecked(run, outcome);
    case 'effectFailed':
      return effectFailed(run, outcome);
    case 'hostReturned':
      return hostReturned(run);
    case 'filesDelivered':
      return [];
    default:
      return ofPhase(run, outcome);
  }
}

function bindingsLocked(run: Run, { bindings, branch, base }: OutcomeOf<'bindingsLocked'>): NewEvent[] {
  if (run.state !== 'created') return [];
  const { templateHash, requirementsMd, objective, repoPath, baseBranch, extra } = run;
  const hashes = bindings.map((binding) => binding.bindingHash);
  const subject = { templateHash, bindings: hashes, requirementsMd, objective, repoPath, baseBranch, extra };
  const payload = { bindings, inputHash: inputHash(subject), branch, ...defined({ base }) };
  return [{ type: 'run.started', phaseId: null, payload }];
}

/** The compiler does not see here which type of outcome the handler takes. */
type Handler = (run: Run, phase: Phase, outcome: PhaseOutcome) => NewEvent[];

/** An outcome that only the kind of its phase understands. */
function ofPhase(run: Run, outcome: PhaseOutcome): NewEvent[] {
  const phase = currentPhase(run);
  if (isFrozen(run) || phase?.id !== outcome.phaseId || isHeld(run, phase)) return [];
  const handlers = kindOf(phase).outcomes as Partial<Record<string, Handler>>;
  return handlers[outcome.type]?.(run, phase, outcome) ?? [];
}

function commandEnded(run: Run, { type: _, ok, ...how }: OutcomeOf<'commandEnded'>): NewEvent[] {
  const command = run.commands.find((candidate) => candidate.id === how.commandId);
  if (command?.state !== 'started') return [];
  const type = ok ? 'command.completed' : 'command.failed';
  return [{ type, phaseId: command.phaseId, payload: how }];
}

/** A time-out pauses the run. It never decides. */
function approvalExpired(run: Run, { approvalRequestId, since }: OutcomeOf<'approvalExpired'>): NewEvent[] {
  const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
  if (isFrozen(run) || approval?.state !== 'pending' || approval.pendingSince !== since) return [];
  const cause = `approval_timeout:${approvalRequestId}:${run.pauses + 1}`;
  const reason = `the gate ${approval.gateKey} timed out without a decision`;
  const payload = { cause, approvalRequestId, pausedFrom: run.state, reason };
  return [{ type: 'run.paused', phaseId: approval.phaseId, payload }];
}

/** Records that the person's checkout changed while an agent worked. A person must see it; nothing waits for a decision. */
function checkoutChanged(run: Run, outcome: OutcomeOf<'workCommitted'>): NewEvent[] {
  const { phaseId, attempt, part, checkout } = outcome;
  const phase = run.phases.find(({ id }) => id === phaseId);
  if (!checkout || !phase) return [];
  const assignment = part?.assignment ?? phase.key;
  const laneId = phase.assignments.find(({ key }) => key === part?.assignment)?.laneId ?? MAIN;
  return [{ type: 'checkout.changed', phaseId, payload: { ...checkout, laneId, assignment, attempt } }];
}
