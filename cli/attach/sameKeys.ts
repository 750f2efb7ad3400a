import { readShown } from '../../tmux/clients.ts';
import { type Command, commandLine } from '../../tmux/command.ts';
import type { Runner } from '../../tmux/tmux.ts';

/** What devflow.tmux calls its keys; on devflow's own server each is a command, `devflow-jump`. */
const NAMES = ['dashboard', 'approvals', 'picker', 'jump', 'back'] as const;

/**
 * In a popup every key goes to the server of the agents: gives that one the prefix and the keys that the person's fingers
 * know, from the server they come from. Only where it is devflow's own, which its configuration marks.
 */
export async function takeKeys(theirs: Runner, client: string, agents: Runner): Promise<void> {
  const keyOf = (name: (typeof NAMES)[number]) => `@devflow_key_${name}` as const;
  const options = (await readShown(theirs, client, ['prefix', ...NAMES.map(keyOf)]))?.options;
  const commands: Command[] = [];
  if (options?.prefix && options.prefix !== 'None') {
    commands.push(['set-option', '-g', 'prefix', options.prefix], ['bind-key', options.prefix, 'send-prefix']);
  }
  for (const name of NAMES) {
    // As tmux/plugin/keys.sh keeps it: a word for a command line, and a space.
    const key = options?.[keyOf(name)].trimEnd().replace(/^\\;$/, ';');
    if (key) commands.push(['bind-key', key, `devflow-${name}`]);
  }
  if (commands.length === 0) return;
  await agents.run([['if-shell', '-F', '#{@devflow_own}', commandLine(commands)]], { idempotent: true });
}
