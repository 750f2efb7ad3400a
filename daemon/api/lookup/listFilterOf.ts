import { join } from 'node:path';
import { createGit } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import type { ListFilter } from '../../store/listFilter.ts';

/** The filter of a list, with each key that the repository of a directory may have. */
export async function listFilterOf({ repo, search }: { repo?: string; search?: string }): Promise<ListFilter> {
  const wanted = search === undefined ? {} : { search };
  return repo === undefined ? wanted : { ...wanted, repository: await keysOf(repo) };
}

/** A directory that is gone has its runs still. Older runs recorded the checkout instead of the common directory. */
async function keysOf(directory: string): Promise<string[]> {
  const found = await createGit()
    .inspectRepository(directory)
    .catch(() => undefined);
  const { repoPath } = found ?? { repoPath: directory };
  const own = join(repoPath, '.git');
  return [repoPath, own, await commonDirectory(repoPath).catch(() => own)];
}
