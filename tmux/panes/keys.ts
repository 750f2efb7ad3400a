import { type Command, throwIfSkipped, unlessDead, when } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

/**
 * Presses keys by tmux's names (`Enter`, `C-c`, `BSpace`). tmux types an unknown name as text. Leaves copy mode first,
 * which would swallow them, in one step. Throws `pane_dead`, `no_target`.
 */
export async function sendKeys(runner: Runner, pane: PaneId, keys: readonly string[]): Promise<void> {
  const press: Command = ['send-keys', '-t', pane, '--', ...keys];
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [leaveMode(pane), press])]));
}

/** For use inside a sequence. */
export function leaveMode(pane: PaneId): Command {
  return when(pane, '#{pane_in_mode}', [['send-keys', '-t', pane, '-X', 'cancel']]);
}
