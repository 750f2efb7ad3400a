import { z } from 'zod';
import { unstorableText } from '../../definitions/unstorableText.ts';
import { canBePath, NO_PATH } from '../../files/repositoryPath.ts';
import { LIST_LIMIT } from '../../names.ts';
import { TITLE_LENGTH } from '../../text/titleOf.ts';

export const Ref = z.string().min(1).max(200);

export const UNSTORABLE = 'leave out NUL and halves of characters';
/** True if a log can keep it: Postgres cannot store every text of JSON. */
export function isStorable(value: unknown): boolean {
  return unstorableText(value).length === 0;
}
/** A text that becomes part of a log. */
export const LoggedText = z.string().refine(isStorable, UNSTORABLE);

/** What a person calls a run. */
export const Title = LoggedText.trim()
  .min(1)
  .max(TITLE_LENGTH)
  .regex(/^[^\n\r\v\f\u0085\u2028\u2029]*$/, 'write it in one line');

/** A path, absolute or relative to another parameter. The method checks whether the file exists. */
export const PathText = z.string().min(1).refine(canBePath, NO_PATH);

/** The name of a branch or a commit. The method checks whether it exists. */
export const GitRef = z.string().min(1).refine(isStorable, UNSTORABLE);

/** Callers may give any unambiguous prefix of an id. Results carry whole ids. */
export const RunRef = Ref.describe('run id or unambiguous prefix');
export const ApprovalRef = Ref.describe('approval id or unambiguous prefix');
export const SessionRef = Ref.describe('session id or unambiguous prefix');
export const ArtifactRef = Ref.describe('artifact id or unambiguous prefix');
export const DefinitionRef = Ref.describe('name (newest version) or name@version');

export const Time = z.string().describe('ISO 8601 UTC');
export const Limit = z.number().int().min(1).max(1000);
/** For lists of runs, and of what belongs to runs. */
export const LIST_FILTER = {
  repo: PathText.optional().describe('only of this repository: any directory of any of its worktrees'),
  search: LoggedText.trim()
    .min(1)
    .max(200)
    .optional()
    .describe('only of runs with all these words in their title or requirements'),
};
/** For lists that always show everything open. */
export const ListLimit = z
  .number()
  .int()
  .nonnegative()
  .default(LIST_LIMIT)
  .describe('how many of the newest to show besides all open ones; 0 for all');
export const Seq = z.number().int().nonnegative();
