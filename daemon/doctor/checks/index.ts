import { AGENT_PROGRAMS } from '../../../schemas/names.ts';
import type { Check } from '../probe/check.ts';
import { agents, backendCheck } from './agents.ts';
import { clock } from './clock.ts';
import { config, workspace } from './config.ts';
import { contracts } from './contracts.ts';
import { database, docker, migrations } from './database.ts';
import { devflowDirectory } from './devflowDirectory.ts';
import { disk, orphanedData } from './disk.ts';
import { endedRuns } from './endedRuns.ts';
import { node, packageManager } from './node.ts';
import { git, tmux } from './programs.ts';
import { repositorySettings } from './repositorySettings.ts';
import { sandbox } from './sandbox.ts';
import { temporal } from './temporal.ts';
import { tmuxPlugin } from './tmuxPlugin.ts';
import { webhook } from './webhook.ts';
import { whoDecides } from './whoDecides.ts';

/** In the order in which to fix them: what devflow needs, then agents, then what is only useful. */
export const CHECKS: readonly Check[] = [
  node,
  packageManager,
  tmux,
  git,
  docker,
  database,
  migrations,
  clock,
  temporal,
  workspace,
  devflowDirectory,
  contracts,
  config,
  repositorySettings,
  ...AGENT_PROGRAMS.map(backendCheck),
  agents,
  disk,
  orphanedData,
  endedRuns,
  webhook,
  whoDecides,
  sandbox,
  tmuxPlugin,
];
