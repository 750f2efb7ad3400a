import { readOptions } from '../../tmux/clients/clients.ts';
import { type Command, commandLine } from '../../tmux/command/command.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import type { SessionId } from '../../tmux/ids.ts';

/** What devflow.tmux calls its keys; on devflow's own server each is a command, `devflow-jump`. */
const NAMES = ['dashboard', 'approvals', 'picker', 'jump', 'back'] as const;

const keyOf = (name: (typeof NAMES)[number]) => `@devflow_key_${name}` as const;
const OPTIONS = ['prefix', 'prefix2', ...NAMES.map(keyOf)] as const;
type Options = Readonly<Record<(typeof OPTIONS)[number], string>>;

/**
 * In a nested client every key goes to the server of the agents: gives that one the prefixes and the keys that the person's
 * fingers know, as they hold in a session of their server. Only where it is devflow's own, which its configuration marks.
 * A server of theirs that does not answer has no keys to take, and that keeps nobody from an agent.
 */
export async function takeKeys(theirs: Runner, session: SessionId | undefined, agents: Runner): Promise<void> {
  const options = await readOptions(theirs, session, OPTIONS).catch(() => undefined);
  if (options === undefined) return;
  await agents.run([['if-shell', '-F', '#{@devflow_own}', commandLine(sameKeys(options))]], { idempotent: true });
}

/** Without a prefix (all keys of the person's are in the root table) that of devflow's own server stays. Pure. */
export function sameKeys(options: Options): Command[] {
  const { prefix, prefix2 } = options;
  const commands: Command[] = [];
  if (isKey(prefix)) commands.push(['set-option', '-g', 'prefix', prefix], ['bind-key', prefix, 'send-prefix']);
  commands.push(['set-option', '-g', 'prefix2', isKey(prefix2) ? prefix2 : 'None']);
  if (isKey(prefix2) && prefix2 !== prefix) commands.push(['bind-key', prefix2, 'send-prefix', '-2']);
  for (const name of NAMES) {
    // As tmux/plugin/keys.sh keeps it: a word for a command line, and a space.
    const key = options[keyOf(name)].trimEnd().replace(/^\\;$/, ';');
    if (key) commands.push(['bind-key', key, `devflow-${name}`]);
  }
  return commands;
}

function isKey(prefix: string): boolean {
  return prefix !== '' && prefix !== 'None';
}
