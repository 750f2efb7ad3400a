import { countNotDone } from '../../schemas/kinds/lanes/notDone.ts';
import { runState } from '../../schemas/states/run.ts';
import { counted } from '../../schemas/text/phrases.ts';
import type { ReportDocument } from './document.ts';
import { code, inline } from './markdownText.ts';

/** The result of the run in one line of Markdown. */
export function outcome(report: ReportDocument): string {
  const { status, reason, phases, branch, laneCommits, otherCommits, notDone, tasks } = report;
  const ofPhases = phases.flatMap(({ commits: made }) => made).length;
  const count = ofPhases + laneCommits.length + otherCommits.length;
  const commits = counted(count, 'commit');
  const change = count > 0 && branch !== null ? `${commits} on ${code(branch)}` : 'no commit';
  const done = phases.filter(({ state }) => state === 'completed' || state === 'skipped').length;
  switch (status) {
    case 'completed':
      return `Completed${notDone.length > 0 ? ` without ${countNotDone(notDone, tasks)}` : ''}: ${change}`;
    case 'failed':
    case 'aborted':
      return `${status === 'failed' ? 'Failed' : 'Aborted'} after ${done} of ${counted(phases.length, 'phase')}: ${inline(reason ?? 'no reason given')} (${change})`;
    default:
      return `In progress (${runState({ state: status }).word}): ${done} of ${counted(phases.length, 'phase')}, ${change}`;
  }
}
