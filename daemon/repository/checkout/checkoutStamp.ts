import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckoutChange } from '../../../schemas/worktreeState.ts';
import { createGit } from '../git/git.ts';
import { withCheckout } from './checkout.ts';
import { uncommittedInCheckout } from './checkoutStatus.ts';

/** The state of a person's checkout: its commit, and its uncommitted files by size and time. */
export interface CheckoutStamp {
  commit: string | null;
  files: Readonly<Record<string, string>>;
}

/** With more uncommitted files, a look at all of them would hold up each prompt. */
const MOST_FILES = 2_000;
const MOST_NAMED = 200;
const LOOK_MS = 10_000;

/** Looks at the person's checkout and changes nothing. Undefined if there is none, or if it is too large to compare. */
export async function stampCheckout(repoPath: string): Promise<CheckoutStamp | undefined> {
  try {
    return await withCheckout(repoPath, createGit(), async (checkout) => {
      const paths = await uncommittedInCheckout(checkout, LOOK_MS);
      if (paths.length > MOST_FILES) return undefined;
      const files: Record<string, string> = {};
      for (const path of paths) files[path] = await factsOf(join(checkout.path, path));
      return { commit: checkout.commit, files };
    });
  } catch {
    return undefined;
  }
}

async function factsOf(path: string): Promise<string> {
  const facts = await lstat(path).catch(() => undefined);
  return facts ? `${facts.size}:${facts.mtimeMs}` : 'gone';
}

/** The change between two looks; undefined if there is none. */
export function changeOf(before: CheckoutStamp, after: CheckoutStamp): CheckoutChange | undefined {
  const headMoved = before.commit !== after.commit;
  // A commit takes files out of the list. Without one, a file that left the list was changed back.
  const gone = headMoved ? [] : Object.keys(before.files).filter((path) => !(path in after.files));
  const changed = Object.keys(after.files).filter((path) => after.files[path] !== before.files[path]);
  const paths = [...new Set([...gone, ...changed])].sort().slice(0, MOST_NAMED);
  return headMoved || paths.length > 0 ? { paths, headMoved } : undefined;
}
