import { jsonDocument } from '../../../../schemas/contracts/document/json.ts';
import { hasFile, readText, writeOrRemove } from '../lane/worktreeFiles.ts';
import type { ReadFile } from './fileLines.ts';
import { findingBatch } from './findingBatch.ts';
import { fixFindings } from './fixWork.ts';
import type { ReviewPrompt } from './reviewPrompt.ts';
import { verdictsOn } from './verdicts.ts';

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

/** The work of a reviewer, verifier or fixer: the files of its fix with their new texts, then the artifact. */
interface ReviewAnswer {
  /** An empty text removes the file. */
  files: ReadonlyMap<string, string>;
  artifact: string;
}

/** The answer to a prompt of a review. Pure, but for `read`, which reads the agent's worktree. */
export function reviewAnswer(prompt: ReviewPrompt, read: ReadFile, dedupKey: string): ReviewAnswer {
  switch (prompt.kind) {
    case 'look':
      return { files: new Map(), artifact: jsonDocument(findingBatch(prompt, read)) };
    case 'verdict':
      return { files: new Map(), artifact: jsonDocument(verdictsOn(prompt, read)) };
    case 'fix': {
      const { files, response } = fixFindings(prompt, read, dedupKey);
      return { files, artifact: jsonDocument(response) };
    }
    default:
      return prompt satisfies never;
  }
}
