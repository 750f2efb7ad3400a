import { DevflowError } from '../../schemas/errors.ts';
import { isTmuxError } from '../../tmux/errors.ts';
import { type AttachTarget, notInstalled, showPane } from '../attach/show.ts';
import type { Action, Io } from '../io.ts';
import { printJson } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  readOnly?: boolean;
  client?: string;
  json?: boolean;
}

export const action: Action = async ([target]: [string?], { json, ...options }: Options, io) => {
  const found = await withDaemon(io, (client) => client.call('session.attachTarget', { target }));
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
