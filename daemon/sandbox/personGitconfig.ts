import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { writeInside } from '../../schemas/files/insideRoot.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';
import { gitDirectories } from '../repository/git/repositoryFiles.ts';
import type { WorktreePlace } from '../repository/git/worktreePlace.ts';
import { personSettings, writeSetting } from '../repository/privateGit/privateConfig.ts';
import { openPrivateGit } from '../repository/privateGit/privateGit.ts';
import type { Mount } from './mounts.ts';

const FILE = 'gitconfig';
const MOST_BYTES = 4 * 1024 * 1024;
const IDENTITY = ['user', 'author', 'committer'].flatMap((who) => [`${who}.name`, `${who}.email`]);
const SIGNING = ['commit.gpgsign', 'tag.gpgsign'];

/**
 * A person's `.gitconfig` for a sandbox: it signs nothing, and says who commits. The sandbox shows neither their keys nor the
 * files that it includes. None if the person's own says that. A setting of a repository still counts more.
 */
export async function personGitconfig(
  place: WorktreePlace,
  home: string | undefined,
  directory: string,
): Promise<Mount[]> {
  if (home === undefined) return [];
  const settings = await personSettings(await gitDirOf(place));
  const signs = SIGNING.some((key) => !/^(?:false|no|off|0|)$/i.test(settings.get(key) ?? ''));
  const includes = [...settings.keys()].some((key) => /^include(?:if)?\./.test(key));
  if (!signs && !includes) return [];
  const path = join(home, `.${FILE}`);
  const own = readRegular(path, MOST_BYTES, { follow: true });
  const identity = IDENTITY.flatMap((key) => {
    const value = settings.get(key);
    return value === undefined ? [] : [writeSetting([key, value])];
  });
  const more = [...identity, ...SIGNING.map((key) => writeSetting([key, 'false']))].join('');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const bytes = Buffer.concat([...(own.ok ? [own.bytes, Buffer.from('\n')] : []), Buffer.from(more)]);
  const written = writeInside(directory, FILE, bytes);
  if (!written.ok) {
    const message = `The sandbox could not be prepared: ${join(directory, FILE)} cannot be written (${written.fault}).`;
    throw new DevflowError('path_unsafe', message);
  }
  return [{ path, how: 'read', from: join(directory, FILE) }];
}

async function gitDirOf(place: WorktreePlace): Promise<string> {
  return place.isCheckout ? (await gitDirectories(place.path)).gitDir : (await openPrivateGit(place)).entry.directory;
}
