import { DevflowError } from '../../schemas/errors.ts';
import { agentName } from '../../schemas/mainLane.ts';
import { isTmuxError } from '../../tmux/command/errors.ts';
import { type AttachTarget, notInstalled } from '../attach/runAttach.ts';
import { showPane } from '../attach/show.ts';
import { shownSession } from '../attach/shown.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action, OwnOf } from '../define/command.ts';
import type { ATTACH } from '../define/session.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';

export const action: Action<typeof ATTACH> = async ({ target }, { json, ...options }, io) => {
  if (options.next && target !== undefined) {
    throw new DevflowError('usage', '--next and a target cannot be used together', {
      recoveryHint: 'Keep one of them.',
    });
  }
  const wanted = options.next ? { next: { after: await shownSession(io.env, options.client) } } : { target };
  const found = await withDaemon(io, (client) => client.call('session.attachTarget', wanted));
  if (json) printJson(io, found);
  else await show(io, found, options);
  return 0;
};

async function show(io: Io, found: AttachTarget, { readOnly = false, client }: OwnOf<typeof ATTACH>): Promise<void> {
  try {
    await showPane(io, found, { readOnly, client });
  } catch (error) {
    if (!isTmuxError(error)) throw error;
    if (error.code === 'not_installed') throw notInstalled(found.tmux.binary);
    const isTaken = error.code === 'popup_taken';
    throw new DevflowError('state_conflict', `the pane of ${agentName(found)} could not be shown: ${error.message}`, {
      recoveryHint: isTaken
        ? 'Close the popup or menu there, then try again.'
        : `Look at it with devflow session show ${found.sessionId.slice(0, 8)}.`,
      cause: error,
    });
  }
}
