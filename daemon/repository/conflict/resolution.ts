/** One entry of an agent's `dev/conflict-resolution@1`. */
export interface ResolvedHunk {
  path: string;
  decision: 'combined' | 'ours' | 'theirs' | 'rewritten';
  /** Lines that a side had added and that the agent left out. A text may have several lines. */
  dropped: readonly { side: 'ours' | 'theirs'; text: string }[];
  reason: string;
}
