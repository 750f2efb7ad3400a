import { hasFile, readText, writeOrRemove } from '../lane/worktreeFiles.ts';
import { reviewAnswer } from './reviewAnswer.ts';
import type { ReviewPrompt } from './reviewPrompt.ts';

/** Does the work of a prompt in a review. Returns the text of the artifact. */
export function doReviewWork(cwd: string, prompt: ReviewPrompt, dedupKey: string): string {
  const { files, artifact } = reviewAnswer(prompt, (path) => readWorktreeFile(cwd, path), dedupKey);
  for (const [path, text] of files) writeOrRemove(cwd, path, text);
  return artifact;
}

/** The text of a file in the worktree; undefined if there is none. */
export function readWorktreeFile(cwd: string, path: string): string | undefined {
  return hasFile(cwd, path) ? readText(cwd, path) : undefined;
}
