import { readShown } from '../../tmux/clients/clients.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { setGlobalOption, type UserOption } from '../../tmux/panes/options.ts';
import { SESSION_MARK } from './shown.ts';

/**
 * Remembers what a client shows, for the plugin's key that goes back (tmux/plugin/back.sh reads the same option), before
 * it is switched to an agent. From one agent to the next it stays what it was: back is where the work was, not the last
 * agent. Only where the plugin was loaded, which takes its options away again.
 */
export async function rememberPlace(runner: Runner, client: string): Promise<void> {
  const name = backOption(client);
  const shown = await readShown(runner, client, [SESSION_MARK, '@devflow_loaded', name]);
  if (!shown?.options['@devflow_loaded']) return;
  if (shown.options[SESSION_MARK] && shown.options[name]) return;
  await setGlobalOption(runner, name, shown.place);
}

/** Of each client its own: two terminals go back to two places. */
function backOption(client: string): UserOption {
  return `@devflow_back_${client.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
}
