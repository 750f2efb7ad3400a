import { type Command, throwIfSkipped, unlessDead, when } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

/** Presses keys by tmux's names (`Enter`, `C-c`, `BSpace`). tmux types an unknown name as text. Throws `pane_dead`, `no_target`. */
export async function sendKeys(runner: Runner, pane: PaneId, keys: readonly string[]): Promise<void> {
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [pressCommand(pane, keys)])]));
}

/** Presses Enter, and leaves copy mode first, which would swallow it, in one step. Same errors. */
export async function pressEnter(runner: Runner, pane: PaneId): Promise<void> {
  throwIfSkipped(pane, await runner.run([unlessDead(pane, [leaveMode(pane), pressCommand(pane, ['Enter'])])]));
}

/** For use inside a sequence. */
export function pressCommand(pane: PaneId, keys: readonly string[]): Command {
  return ['send-keys', '-t', pane, '--', ...keys];
}

/** For use inside a sequence. */
export function leaveMode(pane: PaneId): Command {
  return when(pane, '#{pane_in_mode}', [['send-keys', '-t', pane, '-X', 'cancel']]);
}
