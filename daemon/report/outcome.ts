import { countNotDone } from '../../schemas/kinds/lanes/notDone.ts';
import type { RunOutcome } from '../../schemas/rpc/views/outcome.ts';
import { outcomeState } from '../../schemas/states/outcome.ts';
import { runState } from '../../schemas/states/run.ts';
import { counted } from '../../schemas/text/phrases.ts';
import type { ReportDocument } from './document.ts';
import { code, inline } from './markdownText.ts';

/** What a review says about the change. */
function reviewWords(reviewed: RunOutcome): string {
  if (reviewed.word === 'rehearsal') return 'Review rehearsed with fake: nothing is known about the change';
  return `Review ${outcomeState(reviewed).word}`;
}

/** Where a person brought the work last. */
function appliedNote(applied: ReportDocument['applied']): string {
  const last = applied?.at(-1);
  return last ? `, applied to ${code(last.target)} at ${code(last.commit.slice(0, 12))}` : '';
}

/** The result of the run in one line of Markdown. */
export function outcome(report: ReportDocument): string {
  const {
    status,
    outcome: reviewed,
    reason,
    phases,
    branch,
    laneCommits,
    otherCommits,
    notDone,
    tasks,
    applied,
  } = report;
  const ofPhases = phases.flatMap(({ commits: made }) => made).length;
  const count = ofPhases + laneCommits.length + otherCommits.length;
  const commits = counted(count, 'commit');
  const change = count > 0 && branch !== null ? `${commits} on ${code(branch)}${appliedNote(applied)}` : 'no commit';
  const done = phases.filter(({ state }) => state === 'completed' || state === 'skipped').length;
  switch (status) {
    case 'completed':
      if (reviewed) return `${reviewWords(reviewed)}${count > 0 ? ` (${change})` : ''}`;
      return `Completed${notDone.length > 0 ? ` without ${countNotDone(notDone, tasks)}` : ''}: ${change}`;
    case 'failed':
    case 'aborted':
      return `${status === 'failed' ? 'Failed' : 'Aborted'} after ${done} of ${counted(phases.length, 'phase')}: ${inline(reason ?? 'no reason given')} (${change})`;
    default:
      return `In progress (${runState({ state: status }).word}): ${done} of ${counted(phases.length, 'phase')}, ${change}`;
  }
}
