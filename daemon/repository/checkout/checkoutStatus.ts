import { textOf } from '../git/pathBytes.ts';
import { parseStatus, statusArgs } from '../git/statusOutput.ts';
import { type Checkout, withIndexCopy } from './checkout.ts';

/** A checkout with a slow disk must not hold up a start for long. */
const START_NOTES_MS = 30_000;

/** Changed, deleted and untracked files of a person's checkout. A new directory counts as one and ends with a slash. */
export function uncommittedInCheckout(checkout: Checkout, timeoutMs = START_NOTES_MS): Promise<string[]> {
  return listed(checkout, 'normal', { read: true, timeoutMs });
}

/** Tracked files that differ from the index or from HEAD. */
export function changedTrackedFiles(checkout: Checkout): Promise<string[]> {
  return listed(checkout, 'no', {});
}

async function listed(
  checkout: Checkout,
  untracked: 'normal' | 'no',
  options: { read?: boolean; timeoutMs?: number },
): Promise<string[]> {
  const { stdout } = await withIndexCopy(checkout, (index) =>
    checkout.files(statusArgs(untracked), { index, bytes: true, ...options }),
  );
  return parseStatus(stdout).entries.map(({ path }) => textOf(path));
}
