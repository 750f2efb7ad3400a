import type { CommentView } from '../../../schemas/comments/commentView.ts';
import type { Run } from '../run/state.ts';
import { commentState } from './commentState.ts';

/** The comments of a run with what became of them. Their present places are not looked up. */
export function commentViews(run: Run): CommentView[] {
  const keyOf = new Map(run.phases.map(({ id, key }) => [id, key]));
  return run.comments.map((comment) => {
    const { phaseId, answers, ...facts } = comment;
    const phaseKey = keyOf.get(phaseId) ?? '';
    const said = answers.map((answer) => ({ ...answer, phaseKey }));
    return { ...facts, phaseKey, ...commentState(run, comment), answers: said, now: null, patch: null };
  });
}
