import type { Config } from '../../../schemas/config/config.ts';
import type { Paths } from '../../../schemas/files/paths.ts';
import type { ParsedParams } from '../../../schemas/rpc/methods/index.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { checkSettings } from '../../settings/checkSettings.ts';
import type { FindTemplate } from '../../settings/consent/templateSubject.ts';
import { repositoryViewOf, type SettingsOfRepositories } from '../../settings/repositorySettings.ts';
import { defaultsLayer } from '../../settings/resolveSettings.ts';

export interface RepositoryParts {
  settings: SettingsOfRepositories;
  paths: Pick<Paths, 'configDir' | 'configFile'>;
  config: Pick<Config, 'defaults' | 'gates'>;
  findTemplate: FindTemplate;
}

/** They need neither the database nor agents. */
export function createRepositoryMethods({ settings, paths, config, findTemplate }: RepositoryParts) {
  return {
    'repository.show': async ({ host: _, ...request }: ParsedParams<'repository.show'>) =>
      repositoryViewOf(await settings.settle(request)),
    'repository.check': async ({ host: _, ...request }: ParsedParams<'repository.check'>) => ({
      files: await checkSettings(request, { ...paths, findTemplate, defaults: defaultsLayer(config, paths) }),
    }),
    'repository.allow': async ({ host: _, ...request }: ParsedParams<'repository.allow'>) =>
      repositoryViewOf(await settings.decide(request, 'allowed')),
    'repository.forbid': async ({ host: _, ...request }: ParsedParams<'repository.forbid'>) =>
      repositoryViewOf(await settings.decide(request, 'forbidden')),
  } satisfies Omit<HandlersOf<'repository'>, 'repository.init'>;
}
