import type { Config } from '../../schemas/config/config.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { DaemonParts } from '../api/daemon/daemonMethods.ts';
import { tryAgents } from '../doctor/agents/tryAgents.ts';
import { runDoctor } from '../doctor/doctor.ts';
import { orphanResults } from '../doctor/orphans.ts';
import { removeAllOrphanedData } from '../doctor/probe/orphanedData.ts';
import { profileOf } from './backends.ts';

/** The doctor of a running daemon. */
export function createDaemonDoctor(
  config: Config,
  paths: Paths,
  listRunIds: () => Promise<string[]>,
): DaemonParts['doctor'] {
  return {
    check: ({ strict, cwd }) => runDoctor({ config, paths, strict, cwd }),
    tryAgents: () => tryAgents({ config, paths, env: process.env, profileOf: (id) => profileOf(id, process.env) }),
    removeOrphanedData: (confirmed) => removeAllOrphanedData({ paths }, confirmed),
    listOrphans: async () => orphanResults(config.workspaceRoot, await listRunIds()),
  };
}
