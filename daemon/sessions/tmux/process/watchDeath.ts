import type { TmuxDriver } from '../../../../tmux/driver.ts';
import { isTmuxError } from '../../../../tmux/errors.ts';
import { readPane } from '../../../../tmux/panes/panes.ts';
import { type DeathSign, watchPane } from '../../../../tmux/process/watchPane.ts';
import type { AgentExit } from '../../adapter.ts';
import type { AgentServer } from '../server/agentServer.ts';
import type { AgentPane } from '../server/panes.ts';

/**
 * Tells once that a pane's program has ended, by whichever sign comes first: its wrapper's word, tmux's hook, the pane's
 * or the server's disappearance. A connection that is lost is no death, nor is a server that does not answer.
 */
export function watchDeath(
  options: { driver: TmuxDriver; server: AgentServer; pane: AgentPane; directory: string; serverPid: number },
  onDeath: (exit: AgentExit) => void,
): () => void {
  const { driver, server, pane, directory, serverPid } = options;
  let told = false;
  const tell = (exit: AgentExit) => {
    if (told) return;
    told = true;
    onDeath(exit);
  };
  const onSign = (sign: DeathSign): void => {
    if (sign.by === 'wrapper') tell(exitOf(sign.status));
    else if (sign.by === 'hook' && sign.status !== undefined) tell(exitOf(sign.status));
    // Its word, if it left one, is told in the same turn.
    else setImmediate(() => tell({ reason: 'its pane was killed' }));
  };
  const watching = watchPane(directory, serverPid, onSign);
  const stopFlags = server.onFlags((panes) => {
    const flags = panes.get(pane.pane);
    if (!flags) tell({ reason: 'its pane is gone' });
    else if (flags.dead) tell({ reason: 'its pane is dead' });
  });
  const stopState = driver.onState((state) => {
    if (state.up && state.identity.pid !== serverPid) tell({ reason: 'its tmux server is gone' });
    else if (!state.up) {
      readPane(driver, pane.pane).catch((error) => {
        if (isTmuxError(error, 'no_server')) tell({ reason: 'its tmux server is gone' });
      });
    }
  });
  return () => {
    told = true;
    watching.close();
    stopFlags();
    stopState();
  };
}

function exitOf(status: number): AgentExit {
  const reason = status > 128 ? `it was ended by signal ${status - 128}` : `it ended with status ${status}`;
  return { reason, exitCode: status };
}
