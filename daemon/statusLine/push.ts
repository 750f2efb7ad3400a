import { type Command, commandLine, SKIPPED } from '../../tmux/command/command.ts';
import { isTmuxError } from '../../tmux/errors.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

/** A server that hangs must not keep the others from theirs for long. */
const PATIENCE_MS = 2_000;

/**
 * Puts the text where `#{@devflow_status}` shows it, and the daemon's mark beside it: while it is there a daemon runs,
 * which the plugin's keys go by. `gone` where no server is, or one without the plugin: it has no place for it. Rejects when it cannot be told.
 */
export async function pushStatus(
  at: { binary: string; socket: string },
  text: string,
  daemon: number,
): Promise<'shown' | 'gone'> {
  const status: Command =
    text === '' ? ['set-option', '-gu', '@devflow_status'] : ['set-option', '-g', '@devflow_status', text];
  const both = commandLine([status, ['set-option', '-g', '@devflow_by', String(daemon)]]);
  const without = commandLine([['display-message', '-p', SKIPPED]]);
  const runner = spawnRunner({ owner: 'theirs', binary: at.binary, address: { socketPath: at.socket } });
  try {
    const guarded: Command = ['if-shell', '-F', '#{@devflow_loaded}', both, without];
    const said = await runner.run([guarded], { idempotent: true, timeoutMs: PATIENCE_MS });
    return said.includes(SKIPPED) ? 'gone' : 'shown';
  } catch (error) {
    if (isTmuxError(error, 'no_server')) return 'gone';
    throw error;
  }
}
