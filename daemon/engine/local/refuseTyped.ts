import { DevflowError } from '../../../schemas/errors.ts';
import { envelopeOf } from '../../core/messages/messageEffects.ts';
import { messageOf } from '../../core/messages/messageOutcomes.ts';
import { isOpen } from '../../core/run/message.ts';
import { sessionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { SessionManager } from '../../sessions/contract/managerContract.ts';

/**
 * Throws if devflow has typed the message into its agent. The log may not say so yet, for a daemon may have died, and a
 * paused run delivers nothing.
 */
export function refuseTyped(run: Run, messageId: string, { typedOf }: Pick<SessionManager, 'typedOf'>): void {
  const message = messageOf(run, messageId);
  const session = message && sessionOf(run, message.sessionId);
  if (!message || !isOpen(message) || !session) return;
  const { id: sessionId, backend } = session;
  const typed = typedOf(run.id, { sessionId, backend }, envelopeOf(run, session, message));
  // A person may have said since that the agent lacks it.
  if (typed === 'nothing' || (typed === 'in doubt' && message.settled?.taken === false)) return;
  const isInDoubt = typed === 'in doubt';
  throw new DevflowError(
    'state_conflict',
    isInDoubt
      ? `Nobody knows whether the agent has message ${messageId}.`
      : `The message cannot be taken back: devflow has typed it into the pane of its agent.`,
    {
      runId: run.id,
      recoveryHint: isInDoubt
        ? `Look into its pane, then say it: devflow message settle ${messageId} --taken or --again.`
        : 'See devflow message list. The delivery goes on as soon as the run and its agent do.',
    },
  );
}
