import { join } from 'node:path';
import type { Config } from '../../../schemas/config/config.ts';
import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import { type Remembered, rememberBackends } from '../../core/binding/rememberBackends.ts';
import { createGit } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import type { Definitions } from '../../store/definitions.ts';
import type { ReadLastBackends } from '../../store/lists.ts';

export interface LastBackendsRequest {
  repo: string;
  template: string;
  overrides: Record<string, BindingOverride>;
}

export type LastBackends = (request: LastBackendsRequest) => Promise<Remembered>;

/** Reads the last backends of a repository and finds those that a new run can reuse. */
export function createLastBackends(ports: {
  config: Config;
  definitions: Definitions;
  readLastBackends: ReadLastBackends;
}): LastBackends {
  const { config, definitions, readLastBackends } = ports;
  return async ({ repo, template: ref, overrides }) => {
    const { template, hash: templateHash } = await definitions.getTemplate(ref);
    const { repoPath } = await createGit().inspectRepository(repo);
    // Older versions recorded the checkout instead of the common directory.
    const last = await readLastBackends([await commonDirectory(repoPath), join(repoPath, '.git')]);
    const personas = await definitions.listPersonas();
    const { backends } = config;
    return rememberBackends({ runId: '', template, templateHash, personas, backends, overrides }, last);
  };
}
