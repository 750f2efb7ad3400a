import type { Check } from '../check.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { config } from './config.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { docker } from './docker.ts';
import { git } from './git.ts';
import { migrations } from './migrations.ts';
import { node } from './node.ts';
import { packageManager } from './packageManager.ts';
import { tmux } from './tmux.ts';
import { tmuxPlugin } from './tmuxPlugin.ts';
import { workspace } from './workspace.ts';

/** The closed list of plan section 3, in its order; then one of ours, which never fails. */
export const CHECKS: readonly Check[] = [
  node,
  packageManager,
  tmux,
  git,
  docker,
  database,
  migrations,
  workspace,
  config,
  codex,
  claude,
  disk,
  tmuxPlugin,
];
