import { isTerminal } from '../../../schemas/enums.ts';
import { endsWithTime, needsPerson, stallSentence } from '../../../schemas/states/stall.ts';
import { decide } from './decide.ts';
import { currentPhase, isStalled, openApproval, openRecoveryGate, sessionsAtWork } from './run/query.ts';
import type { Run } from './run/state.ts';

export type WaitsFor =
  | { party: 'nobody' }
  /** `sessionId`: the person is needed in the pane of this agent. */
  | { party: 'person'; sentence: string; approvalRequestId?: string; sessionId?: string }
  | { party: 'agent' | 'devflow' | 'command'; sentence: string };

/** Whom an open run waits for. Every open run waits for somebody. */
export function waitsFor(run: Run): WaitsFor {
  if (isTerminal(run.state)) return { party: 'nobody' };
  const gate = openRecoveryGate(run) ?? (run.state === 'awaiting_approval' ? openApproval(run) : undefined);
  if (gate) {
    return {
      party: 'person',
      sentence: `a decision at ${gate.gateKey} (${gate.phaseKey})`,
      approvalRequestId: gate.id,
    };
  }
  if (run.state === 'paused') return { party: 'person', sentence: 'devflow run resume' };
  const stalled = stalledAgent(run);
  if (stalled) return stalled;
  const effects = decide(run);
  const agent = effects.find((effect) => effect.type === 'awaitArtifact');
  if (agent) return { party: 'agent', sentence: `${agent.roleId} (${agent.session.backend}) to write ${agent.path}` };
  const command = effects.find((effect) => effect.type === 'runCommand');
  if (command) return { party: 'command', sentence: command.argv.join(' ') };
  return { party: 'devflow', sentence: effects[0]?.type ?? 'the next step' };
}

/** The first stalled agent that needs a person, else the first that devflow will prompt again. */
function stalledAgent(run: Run): WaitsFor | undefined {
  const phase = currentPhase(run);
  const stalled = (phase ? sessionsAtWork(run, phase) : []).filter(isStalled);
  const inNeed = stalled.find(({ stall }) => needsPerson(stall.cause));
  if (inNeed) return { party: 'person', sentence: stallSentence(inNeed), sessionId: inNeed.id };
  const waiting = stalled.find(({ stall }) => endsWithTime(stall.cause));
  return waiting && { party: 'agent', sentence: stallSentence(waiting) };
}
