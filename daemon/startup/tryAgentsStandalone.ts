import { loadConfig } from '../../schemas/config/configLoad.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { tryAgents } from '../doctor/agents/tryAgents.ts';
import type { CheckResult } from '../doctor/probe/check.ts';
import { onFirstSignal } from '../system/onFirstSignal.ts';
import { profileOf } from './backends.ts';

/** Runs `devflow doctor --agents` in this process. An interrupt leaves no agent behind. */
export async function tryAgentsStandalone(env: Env = process.env): Promise<CheckResult[]> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('it was interrupted'));
  onFirstSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], stop);
  const { signal } = stopping;
  return tryAgents({
    config: loadConfig(env),
    paths: resolvePaths(env),
    env,
    signal,
    profileOf: (id) => profileOf(id, env),
  });
}
