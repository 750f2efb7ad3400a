import { readOptions } from '../../tmux/clients/clients.ts';
import { type Command, commandLine } from '../../tmux/command/command.ts';
import type { SessionId } from '../../tmux/command/ids.ts';
import type { Runner } from '../../tmux/command/runner.ts';

/** The names of the keys in devflow.tmux. On devflow's own server each is a command, such as `devflow-jump`. */
const NAMES = ['dashboard', 'approvals', 'picker', 'jump', 'back'] as const;

const keyOf = (name: (typeof NAMES)[number]) => `@devflow_key_${name}` as const;
const OPTIONS = ['prefix', 'prefix2', ...NAMES.map(keyOf)] as const;
type Options = Readonly<Record<(typeof OPTIONS)[number], string>>;

/**
 * In a nested client, every key goes to the server of the agents. This gives that server the prefixes and devflow keys of the
 * person's own session. It changes only devflow's own server, which its configuration marks. If the person's server does not
 * answer, it changes nothing.
 */
export async function takeKeys(theirs: Runner, session: SessionId | undefined, agents: Runner): Promise<void> {
  const command = await takeKeysCommand(theirs, session);
  if (command) await agents.run([command], { idempotent: true });
}

/** The tmux command for that, to run on the server of the agents; undefined if there is nothing to change. */
export async function takeKeysCommand(theirs: Runner, session: SessionId | undefined): Promise<Command | undefined> {
  const options = await readOptions(theirs, session, OPTIONS).catch(() => undefined);
  return options && ['if-shell', '-F', '#{@devflow_own}', commandLine(sameKeys(options))];
}

/** The tmux commands for that. A person without a prefix gets the prefix of devflow's own server. Pure. */
export function sameKeys(options: Options): Command[] {
  const { prefix, prefix2 } = options;
  const commands: Command[] = [];
  if (isKey(prefix)) commands.push(['set-option', '-g', 'prefix', prefix], ['bind-key', prefix, 'send-prefix']);
  commands.push(['set-option', '-g', 'prefix2', isKey(prefix2) ? prefix2 : 'None']);
  if (isKey(prefix2) && prefix2 !== prefix) commands.push(['bind-key', prefix2, 'send-prefix', '-2']);
  for (const name of NAMES) {
    // tmux/plugin/keys.sh stores the key quoted and with a space.
    const key = options[keyOf(name)].trimEnd().replace(/^\\;$/, ';');
    if (key) commands.push(['bind-key', key, `devflow-${name}`]);
  }
  return commands;
}

function isKey(prefix: string): boolean {
  return prefix !== '' && prefix !== 'None';
}
