import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { recipientsOf } from '../../../../daemon/core/messages/recipients.ts';
import type { Message } from '../../../../daemon/core/run/message.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Input } from './given.ts';

/** A message to the agent of this role in `main`. */
export const message =
  (roleId: string, messageId = 'm1', text = 'Use tabs.'): Input =>
  (run): Signal => ({ type: 'queueMessage', messageId, sessionId: recipient(run, roleId), text, by: 'person' });

export const takenBack = (messageId = 'm1'): Signal => ({ type: 'withdrawMessage', messageId });

export const settles = (taken: boolean, messageId = 'm1', clientToken = 'token'): Signal => ({
  type: 'settleMessage',
  messageId,
  taken,
  clientToken,
});

export function recipient(run: Run, roleId: string): string {
  const found = recipientsOf(run).find((each) => each.roleId === roleId);
  if (!found) throw new TypeError(`no agent of ${roleId}`);
  return found.sessionId;
}

export const statesOf = ({ messages }: Pick<Run, 'messages'>): Message['state'][] => messages.map(({ state }) => state);
