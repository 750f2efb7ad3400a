import { quote } from '../command/command.ts';
import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

/**
 * Runs a shell command in the server whenever the pane may have a new size, also while nobody is connected.
 * `%layout-change` does not suffice: tmux sends it only for windows of the attached session. The command is a format,
 * expanded for the pane (`#{pane_width}`). The hook belongs to the pane's window. Throws `no_target`.
 */
export async function hookSize(runner: Runner, pane: PaneId, command: string): Promise<void> {
  const run = `run-shell -b -t ${pane} ${quote(command)}`;
  await runner.run([['set-hook', '-w', '-t', pane, 'window-layout-changed', run]], { idempotent: true });
}
