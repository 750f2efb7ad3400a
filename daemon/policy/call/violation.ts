/**
 * The rules that a command can break. `git_discard_changes` and `git_stash_drop` cover work and commits that git cannot
 * restore. `shell_unreadable` covers scripts that devflow cannot parse with certainty.
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

/** The policy's refusal of a command. `reason` is one sentence without a full stop. */
export interface Violation {
  rule: Rule;
  reason: string;
}

/** Refuses a command whose meaning only a running shell knows. */
export function unreadable(what: string): Violation {
  return { rule: 'shell_unreadable', reason: `${what}, so devflow cannot tell what it would run` };
}
