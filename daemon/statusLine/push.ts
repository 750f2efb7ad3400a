import { type Command, commandLine, SKIPPED } from '../../tmux/command/command.ts';
import { isTmuxError } from '../../tmux/command/errors.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';

/** A server that hangs delays the others no longer than this. */
const PATIENCE_MS = 2_000;

/**
 * Sets the text that `#{@devflow_status}` shows, and beside it who set it. The plugin's keys see by the daemon's pid
 * that a daemon runs. `gone` means: no server there, or one without the plugin. Rejects when the server does not
 * answer.
 */
export async function pushStatus(
  at: { binary: string; socket: string },
  text: string,
  by: number | string,
): Promise<'shown' | 'gone'> {
  const status: Command =
    text === '' ? ['set-option', '-gu', '@devflow_status'] : ['set-option', '-g', '@devflow_status', text];
  const setter: Command =
    by === '' ? ['set-option', '-gu', '@devflow_by'] : ['set-option', '-g', '@devflow_by', String(by)];
  const both = commandLine([status, setter]);
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
