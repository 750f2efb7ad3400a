import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { runState } from '../../../schemas/states/run.ts';
import type { Run } from '../../core/run/state.ts';
import { lookAtCheckout } from '../../repository/change/lookAtCheckout.ts';
import type { StartRequest } from './startRequest.ts';

/** Refuses a run in a person's checkout that could not work there. */
export async function checkStartHere(
  template: Template,
  { here, base, after, change }: Pick<StartRequest, 'here' | 'base' | 'after' | 'change'>,
  repoPath: string,
): Promise<void> {
  if (!here) return;
  const apart = template.phases.find(({ kind }) => !KIND_DEFINITIONS[kind].worksInCheckout);
  if (apart) {
    const message = `Phase ${apart.key} of ${template.name}@${template.version} needs a worktree, so it does not run in your checkout.`;
    throw new DevflowError('usage', message, { recoveryHint: 'Leave out --here, or choose direct.' });
  }
  if (template.exchange || template.flow) {
    const message = `${template.name}@${template.version} keeps files in its worktree, so it does not run in your checkout.`;
    throw new DevflowError('usage', message, { recoveryHint: 'Leave out --here, or choose direct.' });
  }
  const other = Object.entries({ base, after, change }).find(([, given]) => given !== undefined);
  if (other) {
    throw new DevflowError(
      'usage',
      `A run in your checkout starts from what is checked out, so it takes no ${other[0]}.`,
      {
        recoveryHint: `Leave out --${other[0]}, or leave out --here.`,
      },
    );
  }
  await lookAtCheckout(repoPath);
}

/** Two runs in one checkout could not be told apart. */
export function checkoutTaken(repoPath: string, openRuns: readonly Run[], cause?: unknown): DevflowError | undefined {
  const other = openRuns.find(({ here, worktreeRoot }) => here && worktreeRoot === repoPath);
  if (!other && cause === undefined) return undefined;
  const who = other ? `Run ${other.id} (${runState(other).word})` : 'Another run';
  return new DevflowError('active_run_exists', `${who} works in the checkout ${repoPath} already.`, {
    ...(other ? { data: { currentRunId: other.id, currentState: other.state } } : {}),
    recoveryHint: 'Finish or abort it, or leave out --here: the run then gets a worktree of its own.',
    cause,
  });
}
