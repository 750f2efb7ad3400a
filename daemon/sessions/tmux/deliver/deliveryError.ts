import { DevflowError } from '../../../../schemas/errors.ts';
import { agentName } from '../../../../schemas/mainLane.ts';

interface Who {
  roleId: string;
  laneId: string;
  runId: string;
}

/** The agent did not take the prompt: it may be sent again. */
export function refusal(who: Who, reason: string): DevflowError {
  const { runId } = who;
  return new DevflowError('prompt_send_transient', `The agent of ${agentName(who)} took no prompt: ${reason}.`, {
    runId,
  });
}

/** The agent may have taken the prompt: a person must say so. */
export function doubt(who: Who, reason: string): DevflowError {
  const { runId } = who;
  const message = `The agent of ${agentName(who)} may or may not have taken the prompt: ${reason}.`;
  return new DevflowError('delivery_uncertain', message, { runId });
}
