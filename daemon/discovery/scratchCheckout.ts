import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../schemas/files/removeTree.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { copyIndex } from '../repository/privateGit/privateIndex.ts';
import { clearPath, differing, filesOf } from '../repository/tree/treeFiles.ts';

/** A test may need the newest tags; no repository needs more. */
const MOST_TAGS = 5000;

/**
 * Writes the files of the commit, without filters. The checkout has a repository of its own, which only borrows
 * objects. So a command that commits, tags or configures changes nothing of the person's repository. Nothing there
 * names the checkout.
 */
export async function makeCheckout(privateGit: PrivateGit, commit: string): Promise<void> {
  const { path, common } = privateGit;
  await mkdir(path, { recursive: true, mode: 0o700 });
  await privateGit.run(['read-tree', '-m', '-u', commit], { timeoutMs: 600_000 });
  const own = join(path, '.git');
  for (const name of ['objects/info', 'refs/heads', 'refs/tags'])
    await mkdir(join(own, name), { recursive: true, mode: 0o700 });
  await writeFile(join(own, 'config'), await configOf(privateGit));
  await writeFile(join(own, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
  await writeFile(join(own, 'packed-refs'), await tagsOf(privateGit));
  const shallow = join(common, 'shallow');
  const isShallow = await stat(shallow).catch(() => undefined);
  if (isShallow?.isFile()) await copyIndex(shallow, join(own, 'shallow'));
  await copyIndex(join(privateGit.gitDir, 'index'), join(own, 'index'));
  await writeFile(join(own, 'HEAD'), `${commit}\n`);
}

/** Undoes what a command changed. Ignored files stay, so that the next command finds what was installed or built. */
export async function restoreCheckout(privateGit: PrivateGit): Promise<void> {
  const { path, gitDir } = privateGit;
  const index = join(gitDir, 'index');
  for (const each of await differing(filesOf(privateGit), index)) await clearPath(path, each);
  await privateGit.run(['checkout-index', '--all', '-u', '-q'], { index, timeoutMs: 600_000 });
  const args = ['ls-files', '--others', '--exclude-standard', '-z'];
  const others = await privateGit.read(args, { index, bytes: true });
  for (const each of others.split('\0')) if (each !== '') await clearPath(path, each.replace(/\/$/, ''));
}

export async function removeCheckout(directory: string): Promise<void> {
  await removeTree(directory);
}

async function configOf(privateGit: PrivateGit): Promise<string> {
  const { stdout } = await privateGit.objects(['rev-parse', '--show-object-format'], { read: true });
  const isOther = stdout.trim() !== 'sha1';
  const extension = isOther ? `[extensions]\n\tobjectformat = ${stdout.trim()}\n` : '';
  return `[core]\n\trepositoryformatversion = ${isOther ? 1 : 0}\n\tbare = false\n${extension}`;
}

async function tagsOf(privateGit: PrivateGit): Promise<string> {
  const args = [
    'for-each-ref',
    `--count=${MOST_TAGS}`,
    '--sort=-creatordate',
    '--format=%(objectname) %(refname)',
    'refs/tags',
  ];
  const { stdout } = await privateGit.objects(args, { read: true });
  return stdout === '' ? '' : `${stdout}\n`;
}
