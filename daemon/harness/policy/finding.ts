/**
 * What devflow refuses to run. `git_discard_changes` and `git_stash_drop` cover work and commits that nothing else
 * holds; `shell_unreadable` covers what no reader can vouch for.
 */
export type Rule =
  | 'rm_recursive_force'
  | 'rm_root_or_home'
  | 'find_delete'
  | 'git_reset_hard'
  | 'git_clean'
  | 'git_discard_changes'
  | 'git_stash_drop'
  | 'git_push_force'
  | 'git_push_delete'
  | 'git_worktree_remove_force'
  | 'git_branch_force_delete'
  | 'docker_volume_rm'
  | 'docker_compose_down_volumes'
  | 'sql_drop'
  | 'migration_rollback'
  | 'secret_access'
  | 'shell_unreadable';

/** Why a command is refused: one rule and one sentence without a full stop. */
export interface Finding {
  rule: Rule;
  reason: string;
}

/** One word of a command after unquoting. */
export interface Word {
  text: string;
  /** A shell expands something in it, so `text` is not what the program gets. */
  dynamic: boolean;
  /** The expansion stands at its start, so the word may turn out to be an option. */
  leading: boolean;
  /** `text`: no command and no path (a pattern, a message). `name`: no command, but it may name a file. */
  role?: 'text' | 'name';
}

export interface Command {
  words: Word[];
  /** Files that the shell opens for the command. */
  redirects: Word[];
  /** Its standard input: known text, `null` for an unknown pipe, `undefined` for no pipe. */
  input?: string | null;
}

/** A program with its arguments, wherever in a command it stands. */
export interface Call {
  name: string;
  args: Word[];
  input?: string | null;
}

/** What a program would run: a shell script, a text that may be one, code of another language, or a command. */
export type Inner = { script: string } | { text: string } | { code: string } | { words: Word[] };

/** Judges one call. What it yields is a refusal, or something to judge in turn. */
export type CallRule = (call: Call) => Iterable<Finding | Inner>;

/** A word that reaches the program exactly as it is written. */
export function literal(text: string): Word {
  return { text, dynamic: false, leading: false };
}

/** The refusal of a command whose meaning only a running shell knows. */
export function unreadable(what: string): Finding {
  return { rule: 'shell_unreadable', reason: `${what}, so what it would run cannot be known beforehand` };
}

/** A word that may become an option (or several words) when the shell expands it. */
export function mayBeOption(word: Word): boolean {
  return word.dynamic && (word.leading || word.text.startsWith('-'));
}

/** The words before `--`, where options may stand. */
export function beforeDashes(words: readonly Word[]): Word[] {
  const dashes = words.findIndex((word) => word.text === '--');
  return words.slice(0, dashes < 0 ? undefined : dashes);
}
