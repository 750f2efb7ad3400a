import { isTerminal } from '../../schemas/enums.ts';
import { holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import { endsWithTime, needsPerson, stallSentence } from '../../schemas/states/stall.ts';
import { kindOf } from '../kinds/index.ts';
import { decide } from './decide.ts';
import type { Effect } from './effect/effect.ts';
import { doubtCommand, recipientName } from './messages/doubt.ts';
import type { WaitsFor } from './phases/kindRules.ts';
import {
  currentPhase,
  isFrozen,
  isHeld,
  isPhaseAtWork,
  isStalled,
  openGates,
  openRecoveryGates,
  sessionsAtWork,
} from './run/query.ts';
import type { Approval, Assignment, Phase, Run, Session } from './run/state.ts';
import { isOwnWork } from './settle.ts';
import { lanesToSetUp } from './setup/lanesToSetUp.ts';

/** All that an open run waits for, people first. Every open run waits for somebody. */
export function waitsFor(run: Run): WaitsFor[] {
  if (isTerminal(run.state)) return [];
  const recoveries = openRecoveryGates(run).map(atGate);
  if (isFrozen(run)) {
    const isHeldByGate = recoveries.length > 0 && !run.frozen;
    return isHeldByGate ? recoveries : [{ party: 'person', sentence: 'devflow run resume' }, ...recoveries];
  }
  const others = openGates(run).filter((gate) => !holdsFailure(gate));
  const effects = decide(run);
  // Work that is committed waits for its agent no more: a person may finish it while the agent rests.
  const stalled = effects.some(({ type }) => type === 'commitWork') ? [] : stalledAgents(run);
  const people = [...recoveries, ...others.map(atGate), ...stalled];
  const waits = [...people, ...uncertainMessages(run), ...effects.flatMap(inEffect(run)), ...waitsOfKind(run)];
  return waits.every(isDecision) ? [...waits, ...ownSteps(effects, waits)] : waits;
}

function waitsOfKind(run: Run): WaitsFor[] {
  const phase = currentPhase(run);
  if (!phase || !isPhaseAtWork(phase) || isHeld(run, phase)) return [];
  return kindOf(phase).waits?.(run, phase) ?? [];
}

function isDecision(wait: WaitsFor): boolean {
  return wait.party === 'person' && (wait.approvalRequestId ?? wait.messageId) !== undefined;
}

/** devflow's own work beside the open gates, or alone. */
function ownSteps(effects: Effect[], waits: WaitsFor[]): WaitsFor[] {
  const own = effects.find(isOwnWork);
  if (!own && waits.length > 0) return [];
  return [{ party: 'devflow', sentence: own?.type ?? 'the next step' }];
}

function atGate({ id, gateKey, phaseKey, assignment, laneId }: Approval): WaitsFor {
  const about = [phaseKey, assignment ?? laneId].filter((part) => part !== null).join(', ');
  return { party: 'person', sentence: `a decision at ${gateKey} (${about})`, approvalRequestId: id };
}

/** Messages of which nobody knows whether they arrived. Nothing else of the run waits for the answer. */
function uncertainMessages(run: Run): WaitsFor[] {
  return run.messages
    .filter(({ state }) => state === 'uncertain')
    .map((message): WaitsFor => {
      const sentence = `your answer whether a message to ${recipientName(run, message)} arrived: ${doubtCommand(message)}`;
      return { party: 'person', sentence, messageId: message.id };
    });
}

/** The stalled agents that need a person, then those that devflow will prompt again. A held phase waits for no agent. */
function stalledAgents(run: Run): WaitsFor[] {
  const phase = currentPhase(run);
  const stalled = (phase && !isHeld(run, phase) ? sessionsOf(run, phase) : []).filter(isStalled);
  const inNeed = stalled.filter(({ stall }) => needsPerson(stall.cause));
  const waiting = stalled.filter(({ stall }) => endsWithTime(stall.cause));
  return [
    ...inNeed.map((each): WaitsFor => ({ party: 'person', sentence: stallSentence(each), sessionId: each.id })),
    ...waiting.map((each): WaitsFor => ({ party: 'agent', sentence: stallSentence(each) })),
  ];
}

/** The agents at work. One whose lane is set up first gets its prompt later. */
function sessionsOf(run: Run, phase: Phase): Session[] {
  const inSetup = lanesToSetUp(run, phase).map(({ id }) => id);
  const isLater = ({ status, laneId }: Assignment) => status === 'to_prompt' && inSetup.includes(laneId);
  const assignments = phase.assignments.filter((each) => !isLater(each));
  return sessionsAtWork(run, { ...phase, assignments });
}

/** The run waits for these effects. A stalled agent is already named. */
const inEffect =
  (run: Run) =>
  (effect: Effect): WaitsFor[] => {
    if (effect.type === 'runCommand') {
      const what = effect.kind === 'setup' ? ` (set-up of ${effect.laneId ?? MAIN})` : '';
      return [{ party: 'command', sentence: `${effect.argv.join(' ')}${what}` }];
    }
    if (effect.type === 'placeWorktree' || effect.type === 'finishSetup') {
      return [{ party: 'devflow', sentence: `the set-up of ${effect.laneId}` }];
    }
    if (effect.type === 'testMerge' && effect.checks.commands.length > 0) {
      const lanes = effect.lanes.map(({ laneId }) => laneId).join(', ') || MAIN;
      return [{ party: 'command', sentence: `the checks of ${lanes}` }];
    }
    if (effect.type !== 'awaitArtifact') return [];
    const session = run.sessions.find(({ id }) => id === effect.session.sessionId);
    const isNamed = isStalled(session) && (needsPerson(session.stall.cause) || endsWithTime(session.stall.cause));
    if (isNamed) return [];
    return [{ party: 'agent', sentence: `${effect.roleId} (${effect.session.backend}) to write ${effect.path}` }];
  };
