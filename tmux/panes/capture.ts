import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

export interface CaptureOptions {
  /** With escape sequences for colours and attributes. */
  readonly escapes?: boolean;
  /** Wrapped lines joined into one, with their trailing blanks. */
  readonly joined?: boolean;
  /** Lines of history before the screen. Default 0. */
  readonly history?: number;
}

/**
 * Reads the rows of a pane from the top, without trailing blanks; also of a dead pane. Throws `no_target`. The program
 * controls its screen, so it is a hint and never a proof.
 */
export async function capturePane(runner: Runner, pane: PaneId, options: CaptureOptions = {}): Promise<string[]> {
  const flags = [options.escapes ? ['-e'] : [], options.joined ? ['-J'] : []].flat();
  const start = options.history ? ['-S', String(-options.history)] : [];
  return runner.run([['capture-pane', '-p', ...flags, ...start, '-t', pane]], { idempotent: true });
}
