import { readShown } from '../../tmux/clients.ts';
import { commandLine } from '../../tmux/command.ts';
import type { Runner } from '../../tmux/tmux.ts';

/**
 * In a popup every key goes to the server of the agents: gives that one the prefix that the person's fingers know, from
 * the server they come from. Only where it is devflow's own, which its configuration marks.
 */
export async function takePrefix(theirs: Runner, client: string, agents: Runner): Promise<void> {
  const prefix = (await readShown(theirs, client, ['prefix']))?.options.prefix;
  if (!prefix || prefix === 'None') return;
  const take = [
    ['set-option', '-g', 'prefix', prefix],
    ['bind-key', prefix, 'send-prefix'],
  ] as const;
  await agents.run([['if-shell', '-F', '#{@devflow_own}', commandLine(take)]], { idempotent: true });
}
