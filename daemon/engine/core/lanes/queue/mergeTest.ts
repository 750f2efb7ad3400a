/** A lane as it was queued. */
export interface LaneHead {
  laneId: string;
  head: string;
}

/** How a check of the merge queue ended. */
export interface CheckResult {
  argv: string[];
  exitCode: number | null;
  reason: string;
  stdoutPath: string;
  stderrPath: string;
}

/** A merge of lanes onto `base`, and how the checks ended at its tree. */
export interface MergeTest {
  base: string;
  /** Empty for a test of the base itself. */
  lanes: LaneHead[];
  /** The commit after each lane. */
  commits: string[];
  /** The tree of the last commit, which was tested. */
  tree: string;
  /** Hash of the checks; empty if there are none. */
  checks: string;
  /** 2: the same tree was tested once more. */
  nth: number;
  /** Indexes of the checks that failed. */
  failed: number[];
  results: CheckResult[];
}
