import { switchClient } from '../../tmux/clients/clients.ts';
import { closePopup } from '../../tmux/clients/popup.ts';
import { paneId, sessionId } from '../../tmux/command/ids.ts';
import { attachArgv } from '../../tmux/panes/sessions.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { popupClient } from '../client/popupClient.ts';
import type { Io } from '../io/io.ts';
import { rememberPlace } from './back.ts';
import { findClient } from './client.ts';
import { withKnownTerminal } from './knownTerminal.ts';
import { type AttachTarget, noTerminal, runHere, runInPopup, type ShowOptions } from './runAttach.ts';
import { takeKeys } from './sameKeys.ts';
import { showFarPane } from './showFar.ts';
import { hasOwnTerminal } from './terminal.ts';
import { whereabouts } from './whereabouts.ts';

/**
 * Shows an agent's pane on the person's terminal. Its window takes the size of that terminal. A terminal outside of tmux
 * and a popup attach. A client of the same server switches. From a pane of another server, the agent is shown nested in a
 * popup. A read-only view is never a switch, because read-only is a flag of the whole client. Throws if the pane cannot be
 * shown.
 */
export async function showPane(io: Io, target: AttachTarget, options: ShowOptions): Promise<void> {
  if (target.host !== null) return showFarPane(io, target, target.host, options);
  const { readOnly, client: named } = options;
  const { binary } = target.tmux;
  const agents: Server = { owner: 'theirs', binary, address: { socketPath: target.tmux.socket } };
  const here = spawnRunner(agents);
  const where = whereabouts(io.env, target.tmux.socket);
  const argv = withKnownTerminal(attachArgv(agents, sessionId(target.tmux.session), { readOnly }));
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
    throw noTerminal();
  }
  if (isSwitched) {
    await rememberPlace(here, client);
    await switchClient(here, client, paneId(target.tmux.paneId));
    // The dashboard runs in a popup, which would cover the agent.
    if (hint === client) await closePopup(here, client);
    return;
  }
  await takeKeys(spawnRunner(theirs), where.session, here);
  await runInPopup(theirs, client, argv, { target, readOnly });
}
