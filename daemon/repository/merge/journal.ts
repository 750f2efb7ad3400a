import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { orElse } from '../../../schemas/orElse.ts';
import { readText } from '../git/repositoryFiles.ts';
import { replace } from '../privateGit/keepFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

const oid = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The move of a worktree's files that devflow is about to make. The file stays until the move is done. */
const Move = z.object({
  /** The commit of the files before. */
  from: oid,
  /** The commit or tree of the files after. */
  to: oid,
  /** The branch moves as well, before the files. */
  movesBranch: z.boolean(),
});
export type Move = z.infer<typeof Move>;

/** A conflict whose files devflow put into a worktree. All changes there are work on it, until it is committed. */
const Prepared = z.object({
  head: z.string(),
  onto: z.string(),
  attempt: z.string(),
  /** devflow has begun to restore the files, so not all changes are work. */
  isEnding: z.boolean().optional(),
});
export type Prepared = z.infer<typeof Prepared>;

export const { read: readMove, write: writeMove, end: endMove } = journalIn('move.json', Move);
export const { read: readPrepared, write: writePrepared, end: endPrepared } = journalIn('conflict.json', Prepared);

/** A record in the git directory of a worktree, until it is ended. Reading gives undefined for an unreadable one. */
function journalIn<T>(name: string, schema: z.ZodType<T>) {
  const fileOf = ({ gitDir }: PrivateGit) => join(gitDir, name);
  return {
    async read(privateGit: PrivateGit): Promise<T | undefined> {
      const text = await readText(fileOf(privateGit));
      if (text === undefined) return undefined;
      return orElse(() => schema.parse(JSON.parse(text)));
    },
    write: (privateGit: PrivateGit, entry: T): Promise<void> =>
      replace(fileOf(privateGit), (fresh) => writeFile(fresh, JSON.stringify(entry), { flush: true })),
    end: (privateGit: PrivateGit): Promise<void> => rm(fileOf(privateGit), { force: true }),
  };
}
