import { isTmuxError } from '../../../../tmux/command/errors.ts';
import type { TmuxDriver } from '../../../../tmux/driver.ts';
import { readPane } from '../../../../tmux/panes/panes.ts';
import { type DeathSign, watchPane } from '../../../../tmux/process/watchPane.ts';
import type { AgentExit } from '../../contract/adapter.ts';
import type { AgentServer } from '../server/agentServer.ts';
import type { AgentPane } from '../server/panes.ts';

/**
 * Reports once that a pane's program has ended, by the first sign. Signs are the wrapper's status file, tmux's hook,
 * and the loss of the pane or the server. A lost connection is no sign, nor is a server that does not answer.
 */
export function watchDeath(
  options: { driver: TmuxDriver; server: AgentServer; pane: AgentPane; directory: string; serverPid: number },
  onDeath: (exit: AgentExit) => void,
): () => void {
  const { driver, server, pane, directory, serverPid } = options;
  let reported = false;
  const report = (exit: AgentExit) => {
    if (reported) return;
    reported = true;
    onDeath(exit);
  };
  const onSign = (sign: DeathSign): void => {
    if (sign.by === 'wrapper') report(exitOf(sign.status));
    else if (sign.by === 'hook' && sign.status !== undefined) report(exitOf(sign.status));
    // If the wrapper left a status, it arrives in the same turn of the event loop.
    else setImmediate(() => report({ reason: 'its pane was killed' }));
  };
  const watching = watchPane(directory, serverPid, onSign);
  const stopFlags = server.onFlags((panes) => {
    const flags = panes.get(pane.pane);
    if (!flags) report({ reason: 'its pane is gone' });
    else if (flags.dead) report({ reason: 'its pane is dead' });
  });
  const stopState = driver.onState((state) => {
    if (state.up && state.identity.pid !== serverPid) report({ reason: 'its tmux server is gone' });
    else if (!state.up) {
      readPane(driver, pane.pane).catch((error) => {
        if (isTmuxError(error, 'no_server')) report({ reason: 'its tmux server is gone' });
      });
    }
  });
  return () => {
    reported = true;
    watching.close();
    stopFlags();
    stopState();
  };
}

function exitOf(status: number): AgentExit {
  const reason = status > 128 ? `signal ${status - 128} ended it` : `it ended with status ${status}`;
  return { reason, exitCode: status };
}
