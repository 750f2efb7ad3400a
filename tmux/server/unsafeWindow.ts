import { TmuxError } from '../command/errors.ts';
import type { Runner } from '../command/runner.ts';

/**
 * Throws `unsafe` if a new session or window would kill the server. Up to 3.5a it does with a global `window-size
 * manual`, even if the command gives a size. A user may have set it on their server. The configuration of devflow's own
 * server does not.
 */
export async function refuseUnsafeWindow(runner: Runner): Promise<void> {
  const [windowSize] = await runner.run([['show-options', '-gwv', 'window-size']], { idempotent: true });
  if (windowSize !== 'manual') return;
  throw new TmuxError(
    'unsafe',
    'A new session or window would kill this tmux server: its global window-size is manual.',
  );
}
