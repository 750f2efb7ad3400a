import type { RunEvent } from '../../schemas/events/index.ts';
import type { FindingView } from '../../schemas/rpc/views/findings.ts';
import type { Run } from '../core/run/state.ts';

export interface ReportSubject {
  run: Run;
  /** The whole log, oldest first. The report shows its end, and counts stalls over all of it. */
  events: readonly RunEvent[];
  findings: readonly FindingView[];
  /** Parsed artifacts by artifact id. The report counts their open questions and follow-ups. */
  contents?: Readonly<Record<string, unknown>>;
  /** The number of uncommitted files in the worktree. */
  dirtyFiles?: number;
  /** Artifact files in the worktree that changed after validation. */
  changedArtifacts?: readonly string[];
  /** All commits of the run's branch since its base, oldest first. */
  branchCommits?: readonly string[];
  /** The person's branches that have the work; absent if git failed. */
  takenOver?: readonly string[];
  /** False once the worktree is removed. */
  hasWorktree?: boolean;
}
