import { isTerminal } from '../../../schemas/enums.ts';
import { decide } from './decide.ts';
import { openApproval, openRecoveryGate } from './query.ts';
import type { Run } from './state.ts';

export type WaitsFor =
  | { party: 'nobody' }
  | { party: 'person'; sentence: string; approvalRequestId?: string }
  | { party: 'agent' | 'devflow' | 'command'; sentence: string };

/** Whom the run waits for, by name. Every run that has not ended waits for somebody. */
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
  const effects = decide(run);
  const agent = effects.find((effect) => effect.type === 'awaitArtifact');
  if (agent) return { party: 'agent', sentence: `${agent.roleId} (${agent.session.backend}) to write ${agent.path}` };
  const command = effects.find((effect) => effect.type === 'runCommand');
  if (command) return { party: 'command', sentence: command.argv.join(' ') };
  return { party: 'devflow', sentence: effects[0]?.type ?? 'the next step' };
}
