import { spawn } from 'node:child_process';
import { DevflowError } from '../../schemas/errors.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { type Client, listClients, switchClient } from '../../tmux/clients.ts';
import { paneId, sessionId } from '../../tmux/ids.ts';
import { displayPopup } from '../../tmux/popup.ts';
import type { Server } from '../../tmux/server.ts';
import { attachArgv } from '../../tmux/sessions.ts';
import { spawnedRunner } from '../../tmux/spawned.ts';
import type { Io } from '../io.ts';
import { type Whereabouts, whereabouts } from './whereabouts.ts';

export type AttachTarget = RpcResult<'session.attachTarget'>;

/**
 * Shows an agent's pane where the person sits, never resizing it: a terminal outside attaches, a client of the same
 * server is switched, and from another server the agent is shown nested, in the popup one is in or in a new one.
 * Resolves with the exit code.
 */
export async function showPane(io: Io, target: AttachTarget, options: { readOnly: boolean }): Promise<number> {
  const agents = serverAt(target.tmux.socket);
  const where = whereabouts(io.env, target.tmux.socket);
  const argv = attachArgv(agents, sessionId(target.tmux.session), { readOnly: options.readOnly, ignoreSize: true });
  if (where.place === 'outside') return runHere(argv, io);
  if (where.place === 'here') return switchHere(agents, where, target);
  if (where.inPopup) return runHere(argv, io);
  const theirs = serverAt(where.socketPath);
  const client = await clientOf(theirs, where.session);
  const title = ` ${target.roleId} (${target.backend}) `;
  return displayPopup(theirs, { client, width: '95%', height: '95%', title, argv: ['env', '-u', 'TMUX', ...argv] });
}

async function switchHere(
  agents: Server,
  where: Extract<Whereabouts, { place: 'here' | 'elsewhere' }>,
  target: AttachTarget,
) {
  const client = await clientOf(agents, where.session);
  await switchClient(spawnedRunner(agents), client, paneId(target.tmux.paneId));
  return 0;
}

/** Of several clients on the session, the one that was used last is the one that asks. */
async function clientOf(server: Server, session: string): Promise<string> {
  const shows = (client: Client) => client.session === session && !client.controlMode;
  const clients = (await listClients(spawnedRunner(server))).filter(shows);
  const [latest] = clients.sort((a, b) => b.lastActive - a.lastActive);
  if (latest) return latest.name;
  throw new DevflowError('state_conflict', 'No terminal shows the tmux session that this was called from.', {
    recoveryHint: 'Call it from a terminal that is attached.',
  });
}

function serverAt(socketPath: string): Server {
  return { owner: 'theirs', binary: 'tmux', address: { socketPath } };
}

/** Without TMUX, or tmux refuses to nest; what was asked for is a nested client. */
function runHere([program = 'tmux', ...args]: string[], io: Io): Promise<number> {
  const { TMUX: _outer, ...env } = io.env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
