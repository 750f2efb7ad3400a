import { defined } from '../../../schemas/defined.ts';
import { originText } from '../../../schemas/repository/settingText.ts';
import type { ReadParams } from '../../../schemas/rpc/methods/index.ts';
import type { Model } from '../../model/model.ts';
import { type QueryOf, query } from '../../model/query.ts';
import { baseName } from '../../text/runWords.ts';

type Asked = ReadParams<'repository.show'>;

/** Asks for the settings that hold, and for what needs consent. */
export function settingsQuery({ repo, base, host }: Asked): QueryOf<'repository.show'> {
  return query('repository.show', { repo, ...defined({ base, host }) });
}

/** The faults of its files, which are there also when no settings hold. */
export function faultsQuery(model: Model): QueryOf<'repository.check'> {
  return query('repository.check', { repo: repositoryAt(model) });
}

/** The repository of the page: the named one, else that of the directory where the dashboard was started. */
export function repositoryAt({ place, cwd }: Model): string {
  return place.id ?? cwd;
}

/** The place of a setting. A file of the person by its name alone: the page has the whole path. */
export function shortPlace({ from, ...rest }: Parameters<typeof originText>[0] & { from: string }): string {
  return originText({ from: baseName(from), ...rest });
}

export function titleOf(model: Model): string {
  return `Repository ${baseName(repositoryAt(model))}`;
}
