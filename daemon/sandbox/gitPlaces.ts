import { basename, join } from 'node:path';
import { gitDirectories } from '../repository/git/repositoryFiles.ts';
import type { WorktreePlace } from '../repository/git/worktreePlace.ts';
import { alternatesOf, openAgentGit, REPOSITORY_LFS } from '../repository/privateGit/agentGit.ts';
import { FOR_AGENTS } from '../repository/privateGit/ownExcludes.ts';
import { openPrivateGit } from '../repository/privateGit/privateGit.ts';
import type { Mount } from './mounts.ts';

/**
 * The repository of a worktree, for reading, and what the worktree's git writes. Other worktrees are hidden. The file
 * `.git` stays as it is: it would lead a person's git to another directory, whose settings run programs.
 */
export async function gitPlaces(place: WorktreePlace): Promise<Mount[]> {
  if (place.isCheckout) return checkoutGit(place.path);
  const privateGit = await openPrivateGit(place);
  const { common, path } = privateGit;
  const entry = privateGit.entry.directory;
  const git = await openAgentGit(privateGit);
  const objects = join(common, 'objects');
  const shown = join(objects, basename(git.repositoryObjects));
  return [
    { path: common, how: 'read' },
    { path: join(common, 'worktrees'), how: 'empty' },
    { path: entry, how: 'write', from: git.entry },
    { path: join(entry, 'modules'), how: 'read' },
    { path: join(privateGit.gitDir, FOR_AGENTS), how: 'read' },
    { path: objects, how: 'write', from: git.objects },
    { path: join(objects, 'info'), how: 'read', from: join(git.objects, 'info') },
    { path: shown, how: 'read', from: objects },
    { path: join(common, 'lfs'), how: 'write', from: git.lfs },
    { path: join(objects, REPOSITORY_LFS), how: 'read', from: join(common, 'lfs/objects') },
    ...(await alternatesOf(common)).map((each): Mount => ({ path: each, how: 'read' })),
    { path: join(path, '.git'), how: 'read' },
  ];
}

/** A person's checkout and all of its repository, only for reading: its index, settings and refs are theirs. */
async function checkoutGit(path: string): Promise<Mount[]> {
  const { gitDir, common } = await gitDirectories(path);
  const places = [...new Set([common, gitDir, join(path, '.git'), ...(await alternatesOf(common))])];
  return places.map((each): Mount => ({ path: each, how: 'read' }));
}
