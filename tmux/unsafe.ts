import { TmuxError } from './errors.ts';
import type { Runner } from './tmux.ts';

/**
 * Throws `unsafe` when a new session would kill the server: a global `window-size manual` does that up to 3.5a, with or
 * without a size given. An own server is configured otherwise; a user may have set it on theirs.
 */
export async function refuseUnsafeNewSession(runner: Runner): Promise<void> {
  const [windowSize] = await runner.run([['show-options', '-gwv', 'window-size']], { idempotent: true });
  if (windowSize !== 'manual') return;
  throw new TmuxError('unsafe', 'A new session would kill this tmux server: its global window-size is manual.');
}
