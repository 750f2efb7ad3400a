import type { CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { RunComment } from '../run/comment.ts';
import type { Phase, Run } from '../run/state.ts';

/** The comments that a phase has not answered yet. */
export function openComments({ comments }: Run, { id }: Pick<Phase, 'id'>): string[] {
  return comments.filter(({ phaseId, answers }) => phaseId === id && answers.length === 0).map((each) => each.id);
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
    return own.length === 0 ? comment : { ...comment, answers: [...comment.answers, ...own] };
  });
  return { ...run, comments };
}
