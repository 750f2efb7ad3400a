import { DevflowError } from '../../../schemas/errors.ts';
import type { WorktreePlace } from './worktreePlace.ts';

/** The last wall before a person's checkout: what comes here would write into it, or into its git directory. Throws `internal`. */
export function refuseCheckout({ path, isCheckout }: Pick<WorktreePlace, 'path' | 'isCheckout'>): void {
  if (isCheckout) throw new DevflowError('internal', `devflow does not write into the checkout ${path}.`);
}
