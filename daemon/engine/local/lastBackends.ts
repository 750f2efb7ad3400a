import { join } from 'node:path';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { MergedSettings } from '../../../schemas/repository/mergeSettings.ts';
import { type Remembered, rememberBackends } from '../../core/binding/rememberBackends.ts';
import { createGit } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import type { SettingsOfRepositories } from '../../settings/repositorySettings.ts';
import type { Definitions } from '../../store/definitions.ts';
import type { ReadLastBackends } from '../../store/lists.ts';
import { noTemplate, templateOf, withBackends } from './startSettings.ts';

export interface LastBackendsRequest {
  repo: string;
  /** Absent: as the settings of the repository say. */
  template?: string;
  base?: string;
  /** False: without the settings of the repository. */
  settings?: boolean;
  overrides: Record<string, BindingOverride>;
}

export type LastBackends = (request: LastBackendsRequest) => Promise<Remembered>;

const NOTHING: MergedSettings = { settings: {}, origins: new Map() };

/** Reads the last backends of a repository and finds those that a new run can reuse. */
export function createLastBackends(ports: {
  config: Config;
  definitions: Definitions;
  readLastBackends: ReadLastBackends;
  settings: Pick<SettingsOfRepositories, 'choices'>;
}): LastBackends {
  const { config, definitions, readLastBackends, settings } = ports;
  return async ({ repo, base, template: given, settings: hasSettings = true, overrides: chosen }) => {
    const named = given === undefined ? undefined : await definitions.getTemplate(given);
    const { repoPath } = await createGit().inspectRepository(repo);
    const merged = hasSettings ? await settings.choices({ repo: repoPath, ...defined({ base }) }) : NOTHING;
    const { template: ref, backends: wanted } = merged.settings;
    if (!named && ref === undefined) throw noTemplate();
    const { template, hash: templateHash } = named ?? (await templateOf(ref ?? '', merged, definitions));
    const overrides = withBackends(chosen, wanted, template);
    // Older versions recorded the checkout instead of the common directory.
    const last = await readLastBackends([await commonDirectory(repoPath), join(repoPath, '.git')]);
    const personas = await definitions.listPersonas();
    const { backends } = config;
    return rememberBackends({ runId: '', template, templateHash, personas, backends, overrides }, last);
  };
}
