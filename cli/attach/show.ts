import { spawn } from 'node:child_process';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { switchClient } from '../../tmux/clients.ts';
import { paneId, sessionId } from '../../tmux/ids.ts';
import { closePopup, displayPopup } from '../../tmux/popup.ts';
import type { Server } from '../../tmux/server.ts';
import { attachArgv } from '../../tmux/sessions.ts';
import { spawnedRunner } from '../../tmux/spawned.ts';
import type { Io } from '../io.ts';
import { rememberPlace } from './back.ts';
import { findClient } from './client.ts';
import { takeKeys } from './sameKeys.ts';
import { whereabouts } from './whereabouts.ts';

/** Set by the plugin for what it opens in a popup, which does not know its client otherwise. */
export const POPUP_CLIENT = 'DEVFLOW_INTERNAL_TMUX_CLIENT';

export type AttachTarget = RpcResult<'session.attachTarget'>;

export interface ShowOptions {
  readOnly: boolean;
  /** The tmux client that asks, where whoever calls knows it, as a key binding does. */
  client?: string;
}

/**
 * Shows an agent's pane where the person sits, never resizing it. A terminal outside of tmux, and a popup, attach; a client
 * of the same server is switched; from a pane of another server the agent is shown nested, in a popup. Read-only is a
 * flag of a whole client, so that one who only looks is never switched. Resolves with the exit code.
 */
export async function showPane(io: Io, target: AttachTarget, options: ShowOptions): Promise<number> {
  const { readOnly, client: named } = options;
  const { binary } = target.tmux;
  const serverAt = (socketPath: string): Server => ({ owner: 'theirs', binary, address: { socketPath } });
  const agents = serverAt(target.tmux.socket);
  const where = whereabouts(io.env, target.tmux.socket);
  const argv = attachArgv(agents, sessionId(target.tmux.session), { readOnly, ignoreSize: true });
  if (where.place === 'outside') return runHere(argv, io);

  const isSwitched = where.place === 'here' && !readOnly;
  // A popup has a terminal of its own; a key binding that runs a program has neither pane nor terminal.
  if (!isSwitched && where.inPopup && io.inIsTty) return runHere(argv, io);
  const theirs = serverAt(where.socketPath);
  const client = await findClient(theirs, where.session, named);
  if (client === undefined) return withoutClient(io, argv, isSwitched);
  if (isSwitched) {
    const here = spawnedRunner(agents);
    await rememberPlace(here, client);
    await switchClient(here, client, paneId(target.tmux.paneId));
    // The dashboard asked for it from a popup, which would go on covering what it asked for.
    if (where.inPopup && io.env[POPUP_CLIENT] === client) await closePopup(here, client);
    return 0;
  }
  await takeKeys(spawnedRunner(theirs), client, spawnedRunner(agents));
  const title = ` ${target.roleId} (${target.backend})${readOnly ? ', read-only' : ''} `;
  return displayPopup(theirs, { client, width: '95%', height: '95%', title, argv: ['env', '-u', 'TMUX', ...argv] });
}

/** TMUX may be a leftover of another terminal, from which this one was opened: then this one is as good as outside. */
function withoutClient(io: Io, argv: string[], isSwitched: boolean): Promise<number> {
  if (!isSwitched && io.inIsTty && io.outIsTty) return runHere(argv, io);
  throw new DevflowError('state_conflict', 'no terminal shows the tmux session that this was called from', {
    recoveryHint: 'Call it from a terminal that is attached.',
  });
}

/** Without TMUX, or tmux refuses to nest; what was asked for is a nested client. */
async function runHere([program = 'tmux', ...args]: string[], io: Io): Promise<number> {
  if (!io.inIsTty || !io.outIsTty) {
    throw new DevflowError('usage', 'to show a pane, attach needs a terminal', {
      recoveryHint: 'Call it from one, or with --json to learn where the pane is.',
    });
  }
  const { TMUX: _outer, ...env } = io.env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.on('error', () => reject(notInstalled(program)));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

export function notInstalled(program: string): DevflowError {
  return new DevflowError('backend_unavailable', `${program} cannot be started`, {
    recoveryHint: 'Install tmux, or name it with tmux.binaryPath in config.yaml.',
  });
}
