import { commitResolution } from '../../../../daemon/harness/conflict/commitResolution.ts';
import { prepareConflict } from '../../../../daemon/harness/conflict/prepareConflict.ts';
import { landMerge } from '../../../../daemon/harness/merge/landMerge.ts';
import { updateLane } from '../../../../daemon/harness/merge/updateLane.ts';
import { checkoutDetached } from '../../../../daemon/harness/worktree/detachedWorktree.ts';

/** What a daemon that is to be killed calls. */
export const CHILDREN = { checkoutDetached, commitResolution, landMerge, prepareConflict, updateLane } as const;

const [name, input] = process.argv.slice(2) as [keyof typeof CHILDREN, string];
await CHILDREN[name](JSON.parse(input));
