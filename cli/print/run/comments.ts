import type { CommentView } from '../../../schemas/comments/commentView.ts';
import { commentLines } from '../../../schemas/comments/commentWords.ts';
import type { Io } from '../../io/io.ts';
import { printHeading } from '../output.ts';
import { visible } from '../text.ts';

/** The comments of a run, each with its answers. */
export function printComments(io: Io, comments: readonly CommentView[] = []): void {
  if (comments.length === 0) return;
  printHeading(io, 'Comments');
  for (const comment of comments) {
    for (const line of commentLines(comment)) io.out(`  ${visible(line, 'code')}\n`);
  }
}
