import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { editDistance, nearest } from '../../../schemas/text/nearest.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { readText } from '../git/repositoryFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/**
 * The commit that a person names: a branch, a tag, a commit id, `HEAD~2` or `FETCH_HEAD`. Undefined if there is none. A
 * branch goes before a tag of the same name, as for a run.
 */
export async function findCommit({ privateGit, gitDir, commit }: Checkout, name: string): Promise<string | undefined> {
  if (name === 'HEAD') return commit ?? undefined;
  if (!/^[A-Z]+_HEAD$/.test(name))
    return (await inBranch(privateGit, name)) ?? oneCommit(await commitNamed(privateGit, name));
  // git writes these beside HEAD, so devflow's own git directory does not have them.
  const id = /^[0-9a-f]{40,64}\b/.exec((await readText(join(gitDir, name))) ?? '')?.[0];
  return id === undefined ? undefined : commitNamed(privateGit, id);
}

/** No branch can stand for a commit id or for HEAD, as in git. */
async function inBranch(privateGit: PrivateGit, name: string): Promise<string | undefined> {
  if (/^(?:[0-9a-f]{40,64}\b|HEAD\b|@)/.test(name)) return undefined;
  return oneCommit(await commitNamed(privateGit, `refs/heads/${name}`));
}

/** git prints several ids for `main..feature`, and `^` and an id for `^main`. */
function oneCommit(printed: string | undefined): string | undefined {
  return printed !== undefined && /^[0-9a-f]{40,64}$/.test(printed) ? printed : undefined;
}

/** The repository's main branch, which a change is compared with by default. Throws branch_missing. */
export async function defaultBase(checkout: Checkout): Promise<{ name: string; commit: string }> {
  for (const name of ['origin/HEAD', 'main', 'master', ...upstreamOf(checkout)]) {
    // A tag must not be taken for a branch of the same name.
    const ref = name === 'origin/HEAD' ? 'refs/remotes/origin/HEAD' : `refs/heads/${name}`;
    const commit = await commitNamed(checkout.privateGit, name.startsWith('refs/') ? name : ref);
    if (commit !== undefined) return { name: name.replace(/^refs\/(?:heads|remotes)\//, ''), commit };
  }
  const message = `devflow does not know what to compare with: ${checkout.path} has no origin/HEAD, main or master.`;
  throw new DevflowError('branch_missing', message, { recoveryHint: 'Name the base: --base <ref>.' });
}

/** The full name of the branch that the checked-out one follows. */
function upstreamOf({ branch, settings }: Checkout): string[] {
  const remote = settings.get(`branch.${branch}.remote`);
  const merge = settings.get(`branch.${branch}.merge`);
  if (remote === undefined || !merge?.startsWith('refs/heads/')) return [];
  return [remote === '.' ? merge : `refs/remotes/${remote}/${merge.slice('refs/heads/'.length)}`];
}

/** Throws branch_missing for a name without a commit. */
export async function refuseUnknown(checkout: Checkout, name: string, option: '--base' | '--head'): Promise<never> {
  if (name === 'HEAD') {
    throw new DevflowError('branch_missing', `The branch that ${checkout.path} has checked out has no commits yet.`, {
      recoveryHint: 'Commit something first, or check out a branch with commits.',
    });
  }
  const found = nearest(name, await refNames(checkout));
  // A name that differs in most letters is no typing error.
  const near = found !== undefined && editDistance(name, found) * 2 <= name.length ? found : undefined;
  throw new DevflowError('branch_missing', `There is no commit ${visible(name)} in ${checkout.path}.`, {
    recoveryHint: `Give ${option} a branch, a tag or a commit id.${near === undefined ? '' : ` Did you mean ${visible(near)}?`}`,
    data: { ref: name },
  });
}

async function refNames({ privateGit }: Checkout): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes', 'refs/tags'];
  const { stdout } = await privateGit.objects(args, { read: true });
  const refs = stdout.split('\n').filter((ref) => ref !== '' && !ref.startsWith('refs/heads/devflow/'));
  return refs.map((ref) => ref.replace(/^refs\/(?:heads|remotes|tags)\//, ''));
}
