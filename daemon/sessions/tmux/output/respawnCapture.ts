import type { PaneId } from '../../../../tmux/command/ids.ts';
import type { TmuxDriver } from '../../../../tmux/driver.ts';
import { repipe, splitSink } from '../../../../tmux/panes/pipe.ts';
import type { AgentServer } from '../server/agentServer.ts';
import { isCaptureRunning } from './captureProcess.ts';
import { newEpoch } from './outputFiles.ts';

/** tmux checks the flags once a second; a capture that dies at once would be missed. */
const LOOK_MS = 1500;

/**
 * Starts a new capture process when the one of a living pane has ended. It repeats this, since on a full disk the
 * process may not start or may die at its first byte. Returns how to stop.
 */
export function respawnCapture(
  pane: PaneId,
  { driver, server, outputDir }: { driver: TmuxDriver; server: AgentServer; outputDir: string },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = () => {
    let prefix: string | undefined;
    try {
      const epoch = newEpoch(outputDir, 'the process that stores the output had ended');
      prefix = `${outputDir}/${epoch}.`;
      repipe(driver, pane, splitSink(outputDir, epoch)).catch(() => {});
    } catch {
      // Nobody catches what a listener throws.
    }
    timer = setTimeout(() => {
      if (prefix !== undefined && isCaptureRunning(prefix)) stop();
      else arm();
    }, LOOK_MS);
  };
  const stopFlags = server.onFlags((panes) => {
    const flags = panes.get(pane);
    if (!flags || flags.piped || flags.dead) stop();
    else if (timer === undefined) arm();
  });
  return () => {
    stopFlags();
    stop();
  };
}
