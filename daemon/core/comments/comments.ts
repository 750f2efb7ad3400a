import type { CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { RunComment } from '../run/comment.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

/** The comments that a phase has not answered yet. */
export function openComments(run: Run, { id }: Pick<Phase, 'id'>): string[] {
  const isOpen = (comment: RunComment) => comment.phaseId === id && standingAnswers(run, comment).length === 0;
  return run.comments.filter(isOpen).map((each) => each.id);
}

/** The answers to a comment without fixes whose lane was abandoned: nobody has such a fix. */
export function standingAnswers(run: Run, { phaseId, answers }: RunComment): RunComment['answers'] {
  const { assignments = [] } = run.phases.find(({ id }) => id === phaseId) ?? {};
  const lost = assignments.filter(isAbandonedIn(run)).map(({ key }) => key);
  return answers.filter(({ action, assignment }) => action !== 'fixed' || !lost.includes(assignment));
}

/** True for an assignment whose lane was abandoned. */
export function isAbandonedIn({ lanes }: Run): (assignment: Assignment) => boolean {
  const abandoned = lanes.flatMap(({ id, state }) => (state === 'abandoned' ? [id] : []));
  return ({ laneId }) => abandoned.includes(laneId);
}

/** Those that an assignment of an agent phase must answer. Others answer what is about their own document. */
export function commentsFor(run: Run, { id }: Pick<Phase, 'id'>, key: string): string[] {
  const isDue = (comment: RunComment) =>
    comment.phaseId === id &&
    !comment.answers.some(({ assignment }) => assignment === key) &&
    (writerOf(run, comment) ?? key) === key;
  return run.comments.filter(isDue).map((each) => each.id);
}

/** The assignment that wrote the document which a comment is about; undefined if another phase wrote it. */
function writerOf({ artifacts }: Run, { artifact, phaseId }: RunComment): string | undefined {
  if (artifact === null) return undefined;
  return artifacts.findLast((each) => each.valid && each.hash === artifact && each.phaseId === phaseId)?.assignment;
}

/** Records the answers of an assignment. */
export function withAnswers(
  run: Run,
  { assignment, at, answers }: { assignment: string; at: string; answers: readonly CommentAnswer[] | undefined },
): Run {
  if (!answers) return run;
  const comments = run.comments.map((comment) => {
    const own = answers
      .filter(({ id }) => id === comment.id)
      .map(({ id: _, ...said }) => ({ ...said, assignment, at }));
    if (own.length === 0) return comment;
    // Whoever was asked again says it anew.
    return { ...comment, answers: [...comment.answers.filter((each) => each.assignment !== assignment), ...own] };
  });
  return { ...run, comments };
}
