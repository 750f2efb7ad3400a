import type { Runner } from '../command/runner.ts';
import { TmuxError } from '../errors.ts';

/**
 * Throws `unsafe` when a new session or window would kill the server: with a global `window-size manual` it does, up to
 * 3.5a, whether a size is given or not. An own server is configured otherwise; a user may have set it on theirs.
 */
export async function refuseUnsafeWindow(runner: Runner): Promise<void> {
  const [windowSize] = await runner.run([['show-options', '-gwv', 'window-size']], { idempotent: true });
  if (windowSize !== 'manual') return;
  throw new TmuxError(
    'unsafe',
    'A new session or window would kill this tmux server: its global window-size is manual.',
  );
}
