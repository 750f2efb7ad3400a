/**
 * The rules of plan section 14.3; `git_discard_changes` and `git_stash_drop`, because they destroy uncommitted work as
 * `git reset --hard` does; and `shell_unreadable` for what no reader could vouch for.
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
  /** A shell expands something in it, so `text` is not what the program will get. */
  dynamic: boolean;
  /** The expansion stands at its start, so it may turn out to be an option. */
  leading: boolean;
}

export interface Command {
  words: Word[];
  /** Files that the shell opens for the command. */
  redirects: Word[];
  /** What it reads on standard input: known text, `null` for an unknown pipe, `undefined` for nothing of interest. */
  input?: string | null;
}

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
