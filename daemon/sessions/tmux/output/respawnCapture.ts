import type { TmuxDriver } from '../../../../tmux/driver.ts';
import type { PaneId } from '../../../../tmux/ids.ts';
import { repipe, splitSink } from '../../../../tmux/panes/pipe.ts';
import type { AgentServer } from '../server/agentServer.ts';
import { isCaptureRunning } from './captureProcess.ts';
import { newEpoch } from './outputFiles.ts';

/** The flags that would tell of a sink that dies at once are looked at by tmux once a second. */
const LOOK_MS = 1500;

/**
 * Gives a living pane another sink when the one that keeps its output has ended: again and again, since on a full disk
 * none can be had, or dies of its first byte. Returns how to stop.
 */
export function respawnCapture(
  pane: PaneId,
  { driver, server, outputDir }: { driver: TmuxDriver; server: AgentServer; outputDir: string },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = () => {
    let prefix: string | undefined;
    try {
      const epoch = newEpoch(outputDir, 'the program that keeps the output had ended');
      prefix = `${outputDir}/${epoch}.`;
      repipe(driver, pane, splitSink(outputDir, epoch)).catch(() => {});
    } catch {
      // Nobody catches what a listener throws.
    }
    timer = setTimeout(() => {
      if (prefix !== undefined && isCaptureRunning(prefix)) rest();
      else arm();
    }, LOOK_MS);
  };
  const stopFlags = server.onFlags((panes) => {
    const flags = panes.get(pane);
    if (!flags || flags.piped || flags.dead) rest();
    else if (timer === undefined) arm();
  });
  return () => {
    stopFlags();
    rest();
  };
}
