import { defined } from '../../schemas/defined.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { UNCERTAIN_GATE } from '../../schemas/gates/ownGates.ts';
import { decide } from './decide.ts';
import type { Effect } from './effect/effect.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { restoringFails } from './exchange/publish.ts';
import { escalate, type Failure, type Scope } from './gates/escalate.ts';
import { hostReturned, hostSilent } from './gates/hostGate.ts';
import { isForMessage } from './messages/messageEffects.ts';
import { messageFailed } from './messages/messageOutcomes.ts';
import { ruleCheckFails } from './ruleChecked.ts';
import { keepsFailuresLocal, keepsWorkOfSilentHost } from './run/behaviour.ts';
import { closeCommands, failRun } from './run/endRun.ts';
import { countDoubts, currentPhase, isDue, isFrozen } from './run/query.ts';
import type { Assignment, Phase, Run } from './run/state.ts';
import { setupEffectFailed } from './setupOutcomes.ts';
import { escalateAtStart } from './worktreeOutcomes.ts';

/** A failure that retries did not fix. A fatal error ends the run; any other opens a recovery gate. */
export function effectFailed(run: Run, { key, error }: OutcomeOf<'effectFailed'>): NewEvent[] {
  const effect = decide(run).find((candidate) => candidate.key === key);
  // A gate without its timer still waits for a person, without a time-out.
  if (!effect || effect.type === 'expireApproval') return [];
  if (effect.type === 'checkRule') return ruleCheckFails(run, effect.approvalRequestId, error);
  if (error.code === 'host_unreachable' && keepsWorkOfSilentHost(run)) return hostSilent(run, error);
  if (isForMessage(effect)) return messageFailed(run, effect, error.message);
  if (error.class !== 'fatal') {
    if (effect.type === 'placeWorktree' || effect.type === 'finishSetup') {
      return setupEffectFailed(effect, error.message);
    }
    if (effect.type === 'runCommand' && effect.kind === 'setup') {
      return closeCommands(run, error.message, effect.commandId);
    }
  }
  const closed =
    effect.type === 'runCommand' && effect.laneId === undefined
      ? closeCommands(run, error.message, effect.commandId)
      : [];
  const phase = currentPhase(run);
  if (phase?.state === 'pending' && effect.type === 'inspectWorktree' && error.class !== 'fatal') {
    return escalateAtStart(run, phase, { code: error.code, reason: error.message, hint: error.hint });
  }
  if (phase && effect.type === 'publishArtifact' && effect.restores && error.class !== 'fatal') {
    return restoringFails(run, phase, { code: error.code, reason: error.message, hint: error.hint });
  }
  const active = phase && !['pending', 'failed'].includes(phase.state) ? phase : undefined;
  // Only commands run during a pause. Record the failure now; its consequences follow when the run resumes.
  if (isFrozen(run) && error.class !== 'fatal') return closed;
  if (active && error.class !== 'fatal') {
    const scope = scopeOf(run, active, effect);
    const failure = { code: error.code, reason: error.message, hint: error.hint };
    if (error.code === 'delivery_uncertain' && scope.assignment) {
      return escalate(run, active, uncertain(run, failure, effect), scope);
    }
    // A command goes on at the gate about its host. Its end says that the host works.
    return [...hostReturned(run), ...closed, ...escalate(run, active, failure, scope)];
  }
  return failRun(run, active, error);
}

/** A person is asked whether the agent has the prompt. That can happen more than once in an attempt. */
function uncertain(run: Run, failure: Failure, effect: Effect): Failure {
  const sessionId = 'session' in effect ? effect.session.sessionId : undefined;
  return { ...failure, gateKey: UNCERTAIN_GATE, nth: countDoubts(run) + 1, ...defined({ sessionId }) };
}

/** The effect's assignment fails with it, else its lane, else the phase. */
function scopeOf(run: Run, phase: Phase, effect: Effect): Scope {
  if (!keepsFailuresLocal(run)) return {};
  const serves = ({ key, sessionId }: Assignment) =>
    'session' in effect ? sessionId === effect.session.sessionId : key === assignmentKey(effect);
  const mine = phase.assignments.filter((candidate) => serves(candidate) && candidate.work === null);
  // In a review one session has an assignment in every round.
  const assignment = mine.find(isDue) ?? mine[0];
  if (assignment) return { assignment };
  return 'laneId' in effect && effect.laneId !== undefined ? { laneId: effect.laneId } : {};
}

function assignmentKey(effect: Effect): string | undefined {
  if (effect.type === 'commitResolution') return effect.assignment;
  return effect.type === 'commitWork' ? effect.part?.assignment : undefined;
}
