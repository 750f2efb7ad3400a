import { STATE_DIR } from '../../../schemas/contracts/stateDirectory/contract.ts';
import type { ConventionView } from '../../../schemas/rpc/views/contracts.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';

/** The page over the list: the audit of the state directory, or a contract's findings by its key. */
export type Opened = { readonly kind: 'audit' } | { readonly kind: 'findings'; readonly key: string };

export const contractsState = screenState<{ opened: Opened | undefined }>('contracts', { opened: undefined });

const NONE: readonly ConventionView[] = [];

/** The repository in which the dashboard was started, as for `devflow contract check`. */
export function statusQuery({ cwd }: Model): QueryOf<'contract.status'> {
  return query('contract.status', { repo: cwd });
}

export function auditQuery({ cwd }: Model): QueryOf<'state.audit'> {
  return query('state.audit', { repo: cwd });
}

export function conventionsOf(model: Model): readonly ConventionView[] {
  return answerOf(model.data, statusQuery(model)) ?? NONE;
}

export function keyOf({ contract, path }: ConventionView): string {
  return `${contract} ${path}`;
}

/** Why the keys of the state directory do nothing. */
export function lacksStateDirectory(model: Model): string | undefined {
  return conventionsOf(model).some(({ path }) => path === STATE_DIR) ? undefined : 'there is no state directory';
}
