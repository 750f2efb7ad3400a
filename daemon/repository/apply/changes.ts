import { someOf } from '../../../schemas/text/phrases.ts';
import { type Checkout, withIndexCopy } from '../checkout/checkout.ts';
import { textOf } from '../git/pathBytes.ts';
import { pathsWith } from '../tree/attributes.ts';
import { obstacles } from '../tree/obstacles.ts';
import { SUBMODULE, type TreeChange } from '../tree/treeChanges.ts';
import { readJournal } from './journal.ts';
import { BY_HAND, unready } from './refusals.ts';

/** Throws checkout_unready if writing these files would overwrite others, or needs something that devflow does not run. */
export async function assertWritable(checkout: Checkout, changes: readonly TreeChange[], to: string): Promise<void> {
  const { path: root } = checkout;
  const modules = changes.filter(({ oldMode, newMode }) => oldMode === SUBMODULE || newMode === SUBMODULE);
  if (modules.length > 0)
    throw unready(`The work changes a submodule (${named(modules)}). devflow does not update submodules.`, BY_HAND);
  const filtered = await withFilter(checkout, changes, to);
  if (filtered.length > 0)
    throw unready(
      `A filter such as git-lfs writes ${named(filtered)}. devflow runs no filters here.`,
      BY_HAND,
      names(filtered),
    );
  const hidden = await hiddenFrom(checkout, changes);
  if (hidden.length > 0)
    throw unready(`git ignores changes of ${named(hidden)} (assume-unchanged or skip-worktree).`, BY_HAND);
  // The next apply removes new files that an interrupted one left.
  const inTheWay = (await readJournal(checkout)) ? [] : await obstacles(root, changes);
  if (inTheWay.length > 0) {
    const message = `Untracked files are in the way in ${root}: ${someOf(inTheWay)}.`;
    throw unready(message, 'Move or remove them, then apply again.', inTheWay);
  }
}

function names(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => textOf(path));
}

function named(changes: readonly TreeChange[]): string {
  return someOf(names(changes));
}

/** Looks at the attributes before and after, because git may read either. */
async function withFilter(checkout: Checkout, changes: readonly TreeChange[], to: string): Promise<TreeChange[]> {
  const before = await attributes(checkout, checkout.commit as string, changes);
  const after = await attributes(checkout, to, changes);
  return changes.filter(({ path }) => before.has(path) || after.has(path));
}

/** The paths that have a filter in this tree. */
async function attributes(checkout: Checkout, tree: string, changes: readonly TreeChange[]): Promise<Set<string>> {
  return new Set((await pathsWith(checkout, 'filter', tree, changes)).keys());
}

function hiddenFrom(checkout: Checkout, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  return withIndexCopy(checkout, async (index) => {
    const { stdout } = await checkout.files(['ls-files', '-v', '-z'], { index, bytes: true });
    const hidden = new Set(
      stdout.split('\0').flatMap((entry) => (/^(?:S|[a-z]) /.test(entry) ? [entry.slice(2)] : [])),
    );
    return changes.filter(({ path }) => hidden.has(path));
  });
}
