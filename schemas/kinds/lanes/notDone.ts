import { counted } from '../../text/phrases.ts';

/** A task of a plan that will not be done, as gates and reports name it. */
export interface NotDone {
  phaseKey: string;
  taskId: string;
  title: string;
  /** The lane that was to do it; null if none began it. */
  laneId: string | null;
  why: string;
}

/** The tasks that a gate says are not done. Empty for other gates. */
export function notDoneIn(subject: Readonly<Record<string, unknown>>): NotDone[] {
  return Array.isArray(subject.notDone) ? (subject.notDone as NotDone[]) : [];
}

export function notDoneWords({ taskId, title, why }: NotDone): string {
  return `${taskId} ${title} (${why})`;
}

/** `2 of 7 tasks`. */
export function countNotDone(notDone: readonly NotDone[], tasks: number): string {
  return `${notDone.length} of ${counted(tasks, 'task')}`;
}
