import { isTmuxError } from '../command/errors.ts';
import type { Runner } from '../command/runner.ts';
import { refuseUnsafeWindow } from '../server/config.ts';

/**
 * A control-mode client must be attached to a session. It gets its own tiny session, which runs `sleep`. Attached to a
 * user's session, it would count as "attached" there and follow that session when it closes. Commands without an
 * explicit client would pick it. The user sees one session in the lists, and their `session-created` and
 * `client-attached` hooks run for it. It ends with the connection (`destroyWhenUnattached`), so a crash leaves nothing
 * behind.
 */
export async function ensureControlSession(runner: Runner, name: string): Promise<void> {
  const options = { idempotent: true };
  try {
    await runner.run([['has-session', '-t', `=${name}`]], options);
    return;
  } catch (error) {
    if (!isTmuxError(error, 'no_target')) throw error;
  }
  await refuseUnsafeWindow(runner);
  try {
    const size = ['-x', '80', '-y', '24'];
    await runner.run([['new-session', '-d', '-s', name, ...size, '--', 'sleep', '2147483647']], options);
  } catch (error) {
    if (!isTmuxError(error, 'duplicate_session')) throw error;
  }
}

/** Call it once attached: earlier, it would end the session at once. It sets an option on our own session only. */
export async function destroyWhenUnattached(runner: Runner, name: string): Promise<void> {
  await runner.run([['set-option', '-t', `=${name}:`, 'destroy-unattached', 'on']], { idempotent: true });
}
