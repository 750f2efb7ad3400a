import { DevflowError } from '../../schemas/errors.ts';
import { isTmuxError } from '../../tmux/errors.ts';
import { type AttachTarget, notInstalled, POPUP_CLIENT, showPane } from '../attach/show.ts';
import { shownSession } from '../attach/shown.ts';
import type { Action, Io } from '../io.ts';
import { printJson } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  readOnly?: boolean;
  next?: boolean;
  client?: string;
  json?: boolean;
}

export const action: Action = async ([target]: [string?], { json, ...given }: Options, io) => {
  const inPopup = io.env.TMUX !== undefined && !io.env.TMUX_PANE;
  const options = { ...given, client: given.client ?? (inPopup ? io.env[POPUP_CLIENT] : undefined) };
  if (options.next && target !== undefined) {
    throw new DevflowError('usage', '--next and a target both say which agent it is', {
      recoveryHint: 'Keep one of them.',
    });
  }
  const wanted = options.next ? { next: { after: await shownSession(io.env, options.client) } } : { target };
  const found = await withDaemon(io, (client) => client.call('session.attachTarget', wanted));
  if (!json) return show(io, found, options);
  printJson(io, found);
  return 0;
};

async function show(io: Io, found: AttachTarget, { readOnly = false, client }: Options): Promise<number> {
  try {
    return await showPane(io, found, { readOnly, client });
  } catch (error) {
    if (!isTmuxError(error)) throw error;
    if (error.code === 'not_installed') throw notInstalled(found.tmux.binary);
    throw new DevflowError('state_conflict', `the pane of ${found.roleId} could not be shown: ${error.message}`, {
      recoveryHint: `Look at it with devflow session show ${found.sessionId.slice(0, 8)}.`,
      cause: error,
    });
  }
}
