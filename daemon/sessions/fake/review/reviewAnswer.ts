import type { ReadFile } from './fileLines.ts';
import { findingBatch } from './findingBatch.ts';
import { fixFindings } from './fixWork.ts';
import type { ReviewPrompt } from './reviewPrompt.ts';
import { verdictsOn } from './verdicts.ts';

/** The work of a reviewer, verifier or fixer: the files of its fix with their new texts, then the artifact. */
export interface ReviewAnswer {
  /** An empty text removes the file. */
  files: ReadonlyMap<string, string>;
  artifact: string;
}

/** The answer to a prompt of a review. Pure, but for `read`, which reads the agent's worktree. */
export function reviewAnswer(prompt: ReviewPrompt, read: ReadFile, dedupKey: string): ReviewAnswer {
  switch (prompt.kind) {
    case 'look':
      return { files: new Map(), artifact: jsonText(findingBatch(prompt, read)) };
    case 'verdict':
      return { files: new Map(), artifact: jsonText(verdictsOn(prompt, read)) };
    case 'fix': {
      const { files, response } = fixFindings(prompt, read, dedupKey);
      return { files, artifact: jsonText(response) };
    }
    default:
      return prompt satisfies never;
  }
}

const jsonText = (data: unknown) => `${JSON.stringify(data, null, 2)}\n`;
