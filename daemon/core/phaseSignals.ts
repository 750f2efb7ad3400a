import { isTerminal } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { kindOf } from '../kinds/index.ts';
import type { FinishSignal } from './phases/kindRules.ts';
import { currentPhase, definitionOf, isFrozen, isHeld, isPhaseAtWork } from './run/query.ts';
import type { Run } from './run/state.ts';
import { stateConflict } from './run/stateConflict.ts';

/** What is asked of a phase, beside its gates. */
export type PhaseSignal =
  | { type: 'skip'; phaseKey: string; reason: string }
  | { type: 'progress'; number: number; name: string; detail: string }
  | FinishSignal;

/** The events of such a signal, or why it is refused. The same signal again has no events. */
export function phaseSignal(run: Run, signal: PhaseSignal): NewEvent[] | DevflowError {
  switch (signal.type) {
    case 'skip':
      return skip(run, signal);
    case 'progress':
      return progress(run, signal);
    case 'finish':
      return finish(run, signal);
    default:
      return signal satisfies never;
  }
}

/** A person says that an optional phase has nothing to do. A phase that has begun is decided at its gate. */
function skip(run: Run, { phaseKey, reason }: Extract<PhaseSignal, { type: 'skip' }>): NewEvent[] | DevflowError {
  const phase = run.phases.find(({ key }) => key === phaseKey);
  if (!phase) {
    const keys = run.phases.map(({ key }) => key).join(', ');
    return new DevflowError('not_found', `Run ${run.id} has no phase ${phaseKey}; it has ${keys}.`);
  }
  if (phase.state === 'skipped') return [];
  if (isTerminal(run.state)) return stateConflict(run, 'has ended');
  if (!definitionOf(run, phase).optional) {
    const possible = run.template.phases.filter(({ optional }) => optional).map(({ key }) => key);
    const recoveryHint =
      possible.length > 0 ? `Optional are: ${possible.join(', ')}.` : 'No phase of this template is optional.';
    return new DevflowError('usage', `Phase ${phaseKey} is not optional.`, { runId: run.id, recoveryHint });
  }
  if (phase.state !== 'pending') return stateConflict(run, `has begun ${phaseKey}`);
  const payload = { attempt: phase.attempts + 1, reason, evidence: 'a person' };
  return [{ type: 'phase.skipped', phaseId: phase.id, payload }];
}

function progress(run: Run, asked: Extract<PhaseSignal, { type: 'progress' }>): NewEvent[] | DevflowError {
  const { number, name, detail } = asked;
  const phase = currentPhase(run);
  const isAtWork = phase && !isFrozen(run) && (phase.state === 'running' || phase.state === 'awaiting_artifact');
  if (isTerminal(run.state) || !isAtWork) return stateConflict(run, 'has no phase at work');
  const said = phase.progress;
  if (said?.number === number && said.name === name && said.detail === detail) return [];
  const payload = { attempt: phase.attempts, nth: phase.progressed + 1, number, name, detail };
  return [{ type: 'phase.progressed', phaseId: phase.id, payload }];
}

/** A person says that the work of an agent that they lead is finished. */
function finish(run: Run, signal: FinishSignal): NewEvent[] | DevflowError {
  const phase = currentPhase(run);
  if (isTerminal(run.state) || !phase) return stateConflict(run, 'has ended');
  const rules = kindOf(phase);
  if (!rules.finish) {
    const about = `Its phase ${phase.key} ends by itself, or at a gate.`;
    return new DevflowError('state_conflict', `You lead no agent of run ${run.id} now. ${about}`, { runId: run.id });
  }
  if (isFrozen(run)) return stateConflict(run, 'must be resumed before its work is finished');
  if (isHeld(run, phase) || phase.state === 'failed') return stateConflict(run, 'waits for a decision first');
  if (!isPhaseAtWork(phase)) return stateConflict(run, `has not begun its phase ${phase.key}`);
  return rules.finish(run, phase, signal);
}
