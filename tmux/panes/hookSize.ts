import { quote } from '../command/command.ts';
import type { Runner } from '../command/runner.ts';
import type { PaneId } from '../ids.ts';

/**
 * Has the server run a shell command whenever the pane may have another size, whoever gave it that, and also while nobody
 * is connected. `%layout-change` would not do: tmux sends it only for windows of the session one is attached to.
 * The command is a format, expanded for the pane (`#{pane_width}`); the hook is its own window's. Throws `no_target`.
 */
export async function hookSize(runner: Runner, pane: PaneId, command: string): Promise<void> {
  const run = `run-shell -b -t ${pane} ${quote(command)}`;
  await runner.run([['set-hook', '-w', '-t', pane, 'window-layout-changed', run]], { idempotent: true });
}
