import { readInside } from '../../schemas/files/insideRoot.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { secretsIn } from './secretsIn.ts';
import { readSetupState } from './setupState.ts';

const MOST_BYTES = 256 * 1024;
const MOST_FILES = 200;

/**
 * The likely secrets in files that were copied or linked into a worktree, such as `.env`. Reads both places: a copy keeps the
 * old values.
 */
export async function readSecrets({ gitDir, path: worktree, repoPath }: PrivateGit): Promise<string[]> {
  const { placed } = await readSetupState({ gitDir });
  const files = placed.filter(({ how, files: count }) => how === 'linked' || (how === 'copied' && count === 1));
  const values = files.slice(0, MOST_FILES).flatMap(({ path }) =>
    [repoPath, worktree].flatMap((root) => {
      const read = readInside(root, path, MOST_BYTES);
      return read.ok ? secretsIn(read.bytes.toString('utf8')) : [];
    }),
  );
  return [...new Set(values)];
}
