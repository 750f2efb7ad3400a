import type { RunEvent } from '../../schemas/events/index.ts';
import type { ReportSubject } from './subject.ts';

/** A commit that devflow made in a lane or in the merge queue, and what for. */
export interface LaneCommit {
  commit: string;
  what: string;
}

/** The lane commits that are on the run's branch and in no phase's list, oldest first. The log names them. */
export function laneCommits({ run, events, branchCommits = [] }: ReportSubject): LaneCommit[] {
  const made = new Map(events.flatMap(madeBy));
  for (const { commits } of run.phases) for (const { commit } of commits) made.delete(commit ?? '');
  return branchCommits.flatMap((commit) => {
    const what = made.get(commit);
    return what === undefined ? [] : [{ commit, what }];
  });
}

function madeBy(event: RunEvent): [commit: string, what: string][] {
  switch (event.type) {
    case 'task.completed': {
      const { taskId, laneId, work } = event.payload;
      return work.commit === null ? [] : [[work.commit, `in lane ${laneId}, ${workOf(taskId)}`]];
    }
    case 'task.started': {
      const { laneId, onto } = event.payload;
      return onto?.head === undefined ? [] : update(laneId, onto.head, onto.base);
    }
    case 'merge.enqueued': {
      const { laneId, head, base } = event.payload;
      return base === undefined ? [] : update(laneId, head, base);
    }
    case 'merge.tested': {
      const { lanes, commits } = event.payload;
      // A lane that needs no merge lands as it is.
      return commits.flatMap((commit, at) => {
        const lane = lanes[at];
        return lane && lane.head !== commit ? [[commit, `merge of ${lane.laneId}`]] : [];
      });
    }
    default:
      return [];
  }
}

/** The tip of `main` came into a lane. Without a commit of its own, the lane then is at that tip. */
function update(laneId: string, head: string, base: string): [string, string][] {
  return head === base ? [] : [[head, `in lane ${laneId}, merge of main`]];
}

function workOf(taskId: string): string {
  if (taskId.includes('#conflict-')) return 'resolved conflict';
  return taskId.includes('#') ? 'repair' : `task ${taskId}`;
}
