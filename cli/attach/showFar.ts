import { sessionId } from '../../tmux/command/ids.ts';
import { attachArgv } from '../../tmux/panes/sessions.ts';
import { type Server, serverArgv } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { popupClient } from '../client/popupClient.ts';
import type { Io } from '../io/io.ts';
import { findClient } from './client.ts';
import { withKnownTerminal } from './knownTerminal.ts';
import { type AttachTarget, noTerminal, runHere, runInPopup, type ShowOptions } from './runAttach.ts';
import { takeKeysCommand } from './sameKeys.ts';
import { sshFor } from './sshArgv.ts';
import { hasOwnTerminal } from './terminal.ts';
import { whereabouts } from './whereabouts.ts';

/**
 * Shows a pane of another host: a client there, over ssh, on this terminal or in a popup. Never a switch, even if a server here
 * has a socket of the same path. Throws if the pane cannot be shown, or if the configuration does not say how to get there.
 */
export async function showFarPane(io: Io, target: AttachTarget, host: string, options: ShowOptions): Promise<void> {
  const { readOnly, client: named } = options;
  const overSsh = sshFor(host, io.env);
  const where = whereabouts(io.env, '');
  const usual = where.place === 'outside' ? { name: 'default' } : { socketPath: where.socketPath };
  // The far program is not the one here: only the person's own server runs this machine's tmux.
  const theirs: Server = { owner: 'theirs', binary: 'tmux', address: usual };
  const session = where.place === 'outside' ? undefined : where.session;
  const argv = overSsh(withKnownTerminal(await farWords(theirs, session, target, readOnly)));
  if (where.place === 'outside' || (await hasOwnTerminal(io, spawnRunner(theirs)))) return runHere(argv, io, target);
  const client = await findClient(theirs, where.session, { named, hint: popupClient(io.env) });
  if (client !== undefined) return runInPopup(theirs, client, argv, { target, readOnly });
  // TMUX may be inherited from another terminal. Then this terminal counts as outside of tmux.
  if (io.inIsTty && io.outIsTty) return runHere(argv, io, target);
  throw noTerminal();
}

/** One tmux there: it takes over the keys of the person's server, then attaches. */
async function farWords(
  theirs: Server,
  session: `$${number}` | undefined,
  { tmux }: AttachTarget,
  readOnly: boolean,
): Promise<string[]> {
  const agents: Server = { owner: 'theirs', binary: tmux.binary, address: { socketPath: tmux.socket } };
  const attach = attachArgv(agents, sessionId(tmux.session), { readOnly });
  const keys = await takeKeysCommand(spawnRunner(theirs), session);
  if (!keys) return attach;
  const server = serverArgv(agents);
  return [...server, ...keys, ';', ...attach.slice(server.length)];
}
