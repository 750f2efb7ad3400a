/** What a decision that ends a run does, for whoever asks a person first. */
export const REJECT_DETAIL = 'The run ends as failed. Its branch, its worktree and everything written stay.';
export const ABORT_DETAIL = 'Its agents are ended. Worktrees, branches and everything written stay.';
