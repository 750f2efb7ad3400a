import { defined } from '../../schemas/defined.ts';
import { isTerminal } from '../../schemas/enums.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { kindOf } from '../kinds/index.ts';
import { isRestoring } from './exchange/publish.ts';
import { gateRequest } from './gates/gate.ts';
import { iterationSteps, waitsForIteration } from './iterate/steps.ts';
import { needsWorktree } from './needsWorktree.ts';
import { closeCommands } from './run/endRun.ts';
import { extensionFor } from './run/iterations.ts';
import { producerOf } from './run/producer.ts';
import { currentPhase, isFrozen, isHeld, nextGate } from './run/query.ts';
import type { Phase, Run } from './run/state.ts';
import { setupSteps } from './setup/setupSteps.ts';
import { skipOf } from './skip.ts';

/**
 * The events that follow from the state alone: a phase starts, a gate opens, the run ends. Call it until it returns none.
 * Nothing follows while the run is frozen, or while a gate holds its phase.
 */
export function deriveEvents(run: Run): NewEvent[] {
  if (isTerminal(run.state) || run.state === 'created' || isFrozen(run)) return [];
  const phase = currentPhase(run);
  const turn = iterationSteps(run, phase);
  if (turn.length > 0 || waitsForIteration(run)) return turn;
  if (!phase) return [...closeCommands(run, 'nobody needs it any more'), COMPLETED];
  if (isHeld(run, phase) || isRestoring(run) || needsWorktree(run, phase)) return [];
  if (phase.state === 'pending') return [beginPhase(run, phase)];
  if (phase.state === 'awaiting_approval') return [passGate(run, phase)];
  const setup = setupSteps(run, phase);
  return setup.length > 0 ? setup : kindOf(phase).derive(run, phase);
}

const COMPLETED: NewEvent = { type: 'run.completed', phaseId: null, payload: {} };

/** The first event of a phase attempt. */
export function beginPhase(run: Run, phase: Phase): NewEvent {
  const attempt = phase.attempts + 1;
  const skip = skipOf(run, phase);
  if (skip) return { type: 'phase.skipped', phaseId: phase.id, payload: { attempt, ...skip } };
  const extension = extensionFor(run, phase);
  return {
    type: 'phase.started',
    phaseId: phase.id,
    payload: {
      attempt,
      cause: attempt === 1 ? 'first' : 'changes_requested',
      ...defined({ changeRequest: extension ?? undefined }),
    },
  };
}

/** Opens the next gate of the phase, or completes the phase after its last gate. */
function passGate(run: Run, phase: Phase): NewEvent {
  const { id: phaseId, attempts: attempt, work } = phase;
  const gate = nextGate(run, phase);
  if (gate === undefined) return { type: 'phase.completed', phaseId, payload: { attempt, work } };
  return gateRequest(run, phase, gate, { producer: producerOf(run, phase), work });
}
