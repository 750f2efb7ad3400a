import { DevflowError } from '../../../schemas/errors.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { textOf } from '../git/pathBytes.ts';
import { pathsWith, readChanges } from './changes.ts';
import { BY_HAND, unready } from './refusals.ts';

/** How the branch gets the work, and its resulting tree. */
export type Combined =
  | { does: 'nothing'; why: string }
  | { does: 'fast_forward' | 'merge' | 'squash'; onto: string; tree: string };

/**
 * Finds the tree of `onto` combined with `head`, without touching the checkout. Throws apply_conflict, which names the files,
 * and checkout_unready if the person's git could merge differently.
 */
export async function combine(
  checkout: Checkout,
  { onto, head, way, target }: { onto: string; head: string; way: 'auto' | 'merge' | 'squash'; target: string },
): Promise<Combined> {
  if (await isAncestor(checkout, head, onto)) return { does: 'nothing', why: `${target} already has this work` };
  const follows = await isAncestor(checkout, onto, head);
  const tree = follows ? await treeOf(checkout, head) : await mergedTree(checkout, onto, head);
  if (tree === (await treeOf(checkout, onto)))
    return { does: 'nothing', why: `${target} already has all changes of the run` };
  if (way === 'squash') return { does: 'squash', onto, tree };
  return { does: way === 'auto' && follows ? 'fast_forward' : 'merge', onto, tree };
}

async function isAncestor({ privateGit }: Checkout, ancestor: string, of: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, of];
  return (await privateGit.objects(args, { read: true, accept: [0, 1] })).exitCode === 0;
}

async function treeOf({ privateGit }: Checkout, commit: string): Promise<string> {
  return (await privateGit.objects(['rev-parse', '--verify', `${commit}^{tree}`], { read: true })).stdout;
}

async function mergedTree(checkout: Checkout, onto: string, head: string): Promise<string> {
  const { privateGit } = checkout;
  const base = (await privateGit.objects(['merge-base', onto, head], { read: true, accept: [0, 1] })).stdout;
  if (base === '') {
    const message = 'The branch and the work have no common commit.';
    throw unready(message, 'Check out the branch that the run started from, or make a new branch: --branch <name>.');
  }
  await assertPlainMerge(checkout, { base, onto, head });
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, head];
  const { stdout, exitCode } = await privateGit.objects(args, { accept: [0, 1], bytes: true, timeoutMs: 600_000 });
  const [tree = '', ...files] = stdout.split('\0').filter((part) => part !== '');
  if (exitCode === 0) return tree;
  const names = files.map((file) => textOf(file));
  const message = `The work conflicts with ${checkout.branch} in: ${names.join(', ')}.`;
  throw new DevflowError('apply_conflict', message, { data: { files: names } });
}

/** devflow runs no merge driver, so it refuses files whose attributes name one. */
async function assertPlainMerge(
  checkout: Checkout,
  { base, onto, head }: { base: string; onto: string; head: string },
): Promise<void> {
  const ours = new Set((await readChanges(checkout, base, onto)).map(({ path }) => path));
  const both = (await readChanges(checkout, base, head)).filter(({ path }) => ours.has(path));
  const special = [...(await pathsWith(checkout, 'merge', onto, both))];
  if (special.length === 0) return;
  const [[path, driver] = ['', '']] = special;
  throw unready(
    `The repository's attributes set how to merge ${textOf(path)} (merge=${driver}). devflow runs no merge drivers.`,
    BY_HAND,
  );
}
