import { readShown } from '../../tmux/clients/clients.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { setGlobalOption, type UserOption } from '../../tmux/panes/options.ts';
import { SESSION_MARK } from './shown.ts';

/**
 * Saves what a client shows before it switches to an agent. The plugin's key for "back" reads the option
 * (`tmux/plugin/back.sh`). A switch from one agent to another keeps the first place, so that "back" leads to the person's own
 * work. Does nothing without the plugin, because only the plugin removes the option again.
 */
export async function rememberPlace(runner: Runner, client: string): Promise<void> {
  const name = backOption(client);
  const shown = await readShown(runner, client, [SESSION_MARK, '@devflow_loaded', name]);
  if (!shown?.options['@devflow_loaded']) return;
  if (shown.options[SESSION_MARK] && shown.options[name]) return;
  await setGlobalOption(runner, name, shown.place);
}

/** One option for each client, because each goes back to its own place. */
function backOption(client: string): UserOption {
  return `@devflow_back_${client.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
}
