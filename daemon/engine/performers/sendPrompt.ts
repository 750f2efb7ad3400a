import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { ensureArtifactDirectory } from '../../artifacts/artifactDirectory.ts';
import { writeInputs } from '../../artifacts/inputCopies.ts';
import { keepWorktree, worktreeRestored } from './keepWorktree.ts';
import { outdatedSetup } from './outdatedSetup.ts';
import type { Performer } from './performer.ts';
import { sessionInput } from './sessionInput.ts';
import { beginWatch } from './watchCheckout.ts';

/**
 * Delivers one envelope. Ignores an abort: a delivery that started is finished and reported, because half a prompt is worse
 * than an extra one. The adapter recognises a delivered prompt by its dedup key.
 */
export const sendPrompt: Performer<'sendPrompt'> = async (effect, ports) => {
  const { sessions, faults } = ports;
  const { session, envelope, repair, inputs, assumeTaken, answer } = effect;
  const { sessionId, recoveryAttempts } = session;
  // Beside the start of the agent, which takes longer. It never fails.
  const watched = beginWatch(session.lane);
  try {
    if (await keepWorktree(session.runId, session.lane, ports)) throw worktreeRestored(session.cwd);
    await sessions.ensure(sessionInput(session));
    // An agent that has the prompt already may have changed what the set-up depends on.
    const check = effect.setup && !sessions.hasPrompt(sessionId, envelope) ? effect.setup : undefined;
    const outdated = await outdatedSetup(session.lane, check, ports);
    if (outdated) return outdated;
    ensureArtifactDirectory(session.cwd);
    const changedInputs = await writeInputs(session.cwd, inputs);
    await watched;
    faults.at('sendPrompt.before_delivery');
    const { promptId, takerEnded } = await sessions.sendPrompt(sessionId, envelope, { assumeTaken, answer });
    faults.at('sendPrompt.after_delivery');
    const taken = { sessionId, recoveryAttempts, envelope, promptId, repair, takerEnded, changedInputs };
    return { type: 'promptDelivered', ...taken };
  } catch (error) {
    const record = toErrorRecord(error);
    if (record.class !== 'recoverable' || record.code === 'shutting_down') throw error;
    return { type: 'sessionLost', sessionId, error: record, recoveryAttempts };
  }
};
