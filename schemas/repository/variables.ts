/** Variables of the environment that settings of a repository name. Without zod: commands and agents use it, too. */

/** devflow gives these to the agents and commands of a worktree. */
export const WORKTREE_VARIABLES = ['DEVFLOW_RUN', 'DEVFLOW_LANE', 'DEVFLOW_WORKTREE', 'DEVFLOW_CHECKOUT'] as const;

const OF_THE_SYSTEM = new Set(['HOME', 'USER', 'LOGNAME', 'SHELL', 'TMUX', 'TMUX_PANE', 'TERM', 'PWD', '_']);

/** True for a variable that settings may not set. */
export function isReservedVariable(name: string): boolean {
  return name.startsWith('DEVFLOW_') || OF_THE_SYSTEM.has(name);
}

/**
 * Replaces `$NAME` and `${NAME}` for the names of `values`, and leaves all others. So a command without a shell can use the
 * ports and names of its worktree.
 */
export function expandVariables(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (whole, bare: string | undefined, braced: string | undefined) => {
    const name = bare ?? braced ?? '';
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}

/** The words of a command, with the variables of its worktree. */
export function expandWords(argv: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
  return argv.map((word) => expandVariables(word, env));
}

/**
 * All variables of a worktree. Values of its settings (`own`) may name ports, names of the worktree, and each other. `$PATH`
 * in `PATH` stays: only who starts a program knows its search path.
 */
export function worktreeEnvironment(
  own: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const all: Record<string, string> = { ...own, ...others };
  for (const name of Object.keys(own)) {
    const { [name]: value = '', ...rest } = all;
    all[name] = expandVariables(value, rest);
  }
  return all;
}

/** Variables that are added to others. In their `PATH`, `$PATH` is the search path without them. */
export function addedVariables(
  added: Readonly<Record<string, string>>,
  searchPath: string | undefined,
): Record<string, string> {
  const { PATH } = added;
  return PATH === undefined ? { ...added } : { ...added, PATH: expandVariables(PATH, { PATH: searchPath }) };
}
