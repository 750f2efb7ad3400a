import { allInputs } from '../../core/assignment/inputs.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import { findingViews } from '../../kinds/review/findingViews.ts';
import { composeReport, type Report } from '../../report/compose.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { readLeftBehind } from '../../repository/worktree/leftBehind.ts';
import type { RunLog } from '../../store/runLog.ts';

/** The report of a run, from its log and from what it left in the repository. */
export async function reportOfRun(run: Run, { readEvents }: Pick<RunLog, 'readEvents'>): Promise<Report> {
  // The commits of a change under review are not the run's.
  const { id: runId, baseBranch, reviewHead, baseCommit: base } = run;
  const baseCommit = reviewHead ?? base;
  const events = await readEvents(runId, 0, run.lastSeq);
  const left = await readLeftBehind(
    run.artifacts.map((artifact) => ({ ...artifact, worktree: worktreeWith(run, artifact.path) })),
    { ...worktreeOf(run), runId, baseBranch, baseCommit },
    allInputs(run),
  );
  return composeReport({ run, events, findings: findingViews(run), ...left });
}
