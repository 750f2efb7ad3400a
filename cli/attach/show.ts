import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { agentName } from '../../schemas/agentName.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { switchClient } from '../../tmux/clients/clients.ts';
import { closePopup, displayPopup } from '../../tmux/clients/popup.ts';
import { paneId, sessionId } from '../../tmux/command/ids.ts';
import { attachArgv } from '../../tmux/panes/sessions.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { popupClient } from '../client/popupClient.ts';
import type { Io } from '../io/io.ts';
import { rememberPlace } from './back.ts';
import { findClient } from './client.ts';
import { takeKeys } from './sameKeys.ts';
import { hasOwnTerminal } from './terminal.ts';
import { whereabouts } from './whereabouts.ts';

export type AttachTarget = RpcResult<'session.attachTarget'>;

export interface ShowOptions {
  readOnly: boolean;
  /** The tmux client to use, if the caller knows it, as a key binding does. */
  client?: string;
}

/**
 * Shows an agent's pane on the person's terminal, without resizing it. A terminal outside of tmux and a popup attach. A client
 * of the same server switches. From a pane of another server, the agent is shown nested in a popup. A read-only view is never a
 * switch, because read-only is a flag of the whole client. Throws if the pane cannot be shown.
 */
export async function showPane(io: Io, target: AttachTarget, options: ShowOptions): Promise<void> {
  const { readOnly, client: named } = options;
  const { binary } = target.tmux;
  const agents: Server = { owner: 'theirs', binary, address: { socketPath: target.tmux.socket } };
  const here = spawnRunner(agents);
  const where = whereabouts(io.env, target.tmux.socket);
  const argv = attachArgv(agents, sessionId(target.tmux.session), { readOnly, ignoreSize: true });
  if (where.place === 'outside') {
    // Takes the keys of the person's own server, if it runs.
    const usual: Server = { owner: 'theirs', binary, address: { name: 'default' } };
    await takeKeys(spawnRunner(usual), undefined, here);
    return runHere(argv, io, target);
  }

  const theirs: Server = { owner: 'theirs', binary, address: { socketPath: where.socketPath } };
  const isSwitched = where.place === 'here' && !readOnly;
  const isBeside = await hasOwnTerminal(io, spawnRunner(theirs));
  const runNested = async () => {
    if (where.place === 'elsewhere') await takeKeys(spawnRunner(theirs), where.session, here);
    return runHere(argv, io, target);
  };
  if (isBeside && !isSwitched) return runNested();

  const hint = isBeside ? popupClient(io.env) : undefined;
  const client = await findClient(theirs, where.session, { named, hint });
  if (client === undefined) {
    // TMUX may be inherited from another terminal. Then this terminal counts as outside of tmux.
    if (!isSwitched && io.inIsTty && io.outIsTty) return runNested();
    throw new DevflowError('state_conflict', 'no terminal shows the tmux session of this command', {
      recoveryHint: 'Run it from an attached terminal.',
    });
  }
  if (isSwitched) {
    await rememberPlace(here, client);
    await switchClient(here, client, paneId(target.tmux.paneId));
    // The dashboard runs in a popup, which would cover the agent.
    if (hint === client) await closePopup(here, client);
    return;
  }
  await takeKeys(spawnRunner(theirs), where.session, here);
  const popup = { client, width: '95%', height: '95%', title: titleOf(target, readOnly) } as const;
  const { status, stderr } = await displayPopup(theirs, {
    ...popup,
    argv: ['env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...argv],
  });
  if (status !== 0 && status !== POPUP_CLOSED) throw notShown(target, stderr, status);
}

/** The exit code if the person closes the popup: tmux ends its program with SIGHUP. */
const POPUP_CLOSED = 129;

function titleOf(target: AttachTarget, readOnly: boolean): string {
  const { backend, runId, repoPath } = target;
  return ` ${agentName(target)} (${backend}) of ${basename(repoPath)} ${runId.slice(0, 8)}${readOnly ? ', read-only' : ''} `;
}

/** Attaches on this terminal. Without TMUX in the environment, because tmux refuses to nest. */
async function runHere([program = 'tmux', ...args]: string[], io: Io, target: AttachTarget): Promise<void> {
  if (!io.inIsTty || !io.outIsTty) {
    throw new DevflowError('usage', 'to show a pane, attach needs a terminal', {
      recoveryHint: 'Run it in a terminal, or use --json to print where the pane is.',
    });
  }
  const { TMUX: _outer, TMUX_PANE: _pane, ...env } = io.env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'pipe'], env });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-1_000);
    });
    child.on('error', () => reject(notInstalled(program)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(notShown(target, said, code))));
  });
}

function notShown(target: AttachTarget, said: string, status: number | null): DevflowError {
  const why = said.trim() || `its tmux client exited with code ${status}; the tmux server of the agents may have ended`;
  return new DevflowError('state_conflict', `the pane of ${agentName(target)} could not be shown: ${why}`, {
    recoveryHint: `Look at it with devflow session show ${target.sessionId.slice(0, 8)}.`,
  });
}

export function notInstalled(program: string): DevflowError {
  return new DevflowError('backend_unavailable', `${program} cannot be started`, {
    recoveryHint: 'Install tmux, or name it with tmux.binaryPath in config.yaml.',
  });
}
