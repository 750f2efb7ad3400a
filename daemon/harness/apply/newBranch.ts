import { DevflowError } from '../../../schemas/errors.ts';
import { commitNamed } from '../lane/workCommit.ts';
import type { Checkout } from './checkout.ts';

/** Throws usage unless git takes the name for a branch, and branch_exists where there is one. */
export async function assertNewBranch({ lane }: Checkout, name: string): Promise<void> {
  const args = ['check-ref-format', '--branch', name];
  const { stdout, exitCode } = await lane.objects(args, { read: true, accept: [0, 1, 128, 129] });
  // `@{-1}` is a name for git as well: that of another branch.
  if (exitCode !== 0 || stdout !== name || name === 'HEAD')
    throw new DevflowError('usage', `${name} is no name for a branch.`, {
      recoveryHint: 'Choose a name that git accepts: --branch <name>.',
    });
  if (name.startsWith('devflow/'))
    throw new DevflowError('usage', `Branches below devflow/ belong to runs, so ${name} cannot be made.`, {
      recoveryHint: 'Choose another name: --branch <name>.',
    });
  if ((await commitNamed(lane, `refs/heads/${name}`)) !== undefined)
    throw new DevflowError('branch_exists', `There is a branch ${name} already.`);
}
