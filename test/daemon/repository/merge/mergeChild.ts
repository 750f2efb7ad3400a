import { commitResolution } from '../../../../daemon/repository/conflict/commitResolution.ts';
import { prepareConflict } from '../../../../daemon/repository/conflict/prepareConflict.ts';
import { landMerge } from '../../../../daemon/repository/merge/landMerge.ts';
import { updateLane } from '../../../../daemon/repository/merge/updateLane.ts';
import { checkoutDetached } from '../../../../daemon/repository/worktree/detachedWorktree.ts';

/** What a daemon that is to be killed calls. */
export const CHILDREN = { checkoutDetached, commitResolution, landMerge, prepareConflict, updateLane } as const;

const [name, input] = process.argv.slice(2) as [keyof typeof CHILDREN, string];
await CHILDREN[name](JSON.parse(input));
