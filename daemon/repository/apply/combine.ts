import { DevflowError } from '../../../schemas/errors.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { textOf } from '../git/pathBytes.ts';
import { commonBase, isAncestor, treeOf } from '../privateGit/history.ts';
import { mergeAttributes, type Sides } from '../tree/attributes.ts';
import { mergeTrees } from '../tree/mergeTrees.ts';
import { BY_HAND, unready } from './refusals.ts';

/** The way in which the branch gets the work, and its resulting tree. */
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
  const { privateGit } = checkout;
  if (await isAncestor(privateGit, head, onto)) return { does: 'nothing', why: `${target} already has this work` };
  const follows = await isAncestor(privateGit, onto, head);
  const tree = follows ? await treeOf(privateGit, head) : await mergedTree(checkout, onto, head);
  if (tree === (await treeOf(privateGit, onto)))
    return { does: 'nothing', why: `${target} already has all changes of the run` };
  if (way === 'squash') return { does: 'squash', onto, tree };
  return { does: way === 'auto' && follows ? 'fast_forward' : 'merge', onto, tree };
}

async function mergedTree(checkout: Checkout, onto: string, head: string): Promise<string> {
  const { privateGit, branch } = checkout;
  const base = await commonBase(privateGit, onto, head);
  if (base === undefined) {
    const message = 'The branch and the work have no common commit.';
    throw unready(message, 'Check out the branch that the run started from, or make a new branch: --branch <name>.');
  }
  await assertPlainMerge(checkout, { base, ours: onto, theirs: head });
  const { tree, stages } = await mergeTrees(privateGit, onto, head);
  if (stages.length === 0) return tree;
  const files = [...new Set(stages.map(({ path }) => textOf(path)))];
  const message = `The work conflicts with ${branch} in: ${files.join(', ')}.`;
  throw new DevflowError('apply_conflict', message, { data: { files } });
}

/** devflow runs no merge driver, so it refuses files whose attributes name one. */
async function assertPlainMerge(checkout: Checkout, sides: Sides): Promise<void> {
  const [[path, driver] = []] = [...(await mergeAttributes(checkout, sides))];
  if (path === undefined) return;
  throw unready(
    `The repository's attributes set how to merge ${textOf(path)} (merge=${driver}). devflow runs no merge drivers.`,
    BY_HAND,
  );
}
