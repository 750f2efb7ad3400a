import { hasFile, readText } from '../lane/worktreeFiles.ts';
import { findingBatch } from './findingBatch.ts';
import { fixFindings } from './fixWork.ts';
import type { ReviewPrompt } from './reviewPrompt.ts';
import { verdictsOn } from './verdicts.ts';

/** Does the work of a prompt in a review. Returns the text of the artifact. */
export function doReviewWork(cwd: string, prompt: ReviewPrompt, dedupKey: string): string {
  return `${JSON.stringify(answerTo(cwd, prompt, dedupKey), null, 2)}\n`;
}

function answerTo(cwd: string, prompt: ReviewPrompt, dedupKey: string) {
  const read = (path: string) => (hasFile(cwd, path) ? readText(cwd, path) : undefined);
  switch (prompt.kind) {
    case 'look':
      return findingBatch(prompt, read);
    case 'verdict':
      return verdictsOn(prompt, read);
    case 'fix':
      return fixFindings(cwd, prompt, dedupKey);
    default:
      return prompt satisfies never;
  }
}
