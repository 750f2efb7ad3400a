import type { NewComment } from '../../../../schemas/comments/comment.ts';
import { commentPlace } from '../../../../schemas/comments/commentWords.ts';

/** The place of a comment that was not sent, in the words of those that were. */
export function placeWords(place: Omit<NewComment, 'kind' | 'text'>): string {
  return commentPlace({ ...place, kind: 'change', text: '', id: '', anchor: null });
}
