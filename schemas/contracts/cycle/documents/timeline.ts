import type { IterationRecord } from '../state/cycleState.ts';

/** The lines that `coordination/timeline.md` has for these iterations. An open one has none yet. */
export function timelineLines(iterations: readonly IterationRecord[]): string {
  const lines = iterations.flatMap(({ number, completed_at, issues_found = [], resolved }) => {
    if (!completed_at) return [];
    const end = resolved ? 'resolved' : 'not resolved';
    return [`- [${completed_at}] Iteration ${number} completed: ${issues_found.length} issues, ${end}\n`];
  });
  return lines.join('');
}
