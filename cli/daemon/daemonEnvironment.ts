import { AGENT_VARIABLE, SESSION_DIRECTORY_VARIABLE } from '../../schemas/agentMark.ts';
import type { Env } from '../../schemas/files/paths.ts';

/** The environment for a daemon. A daemon belongs to no agent, even if an agent starts it. */
export function daemonEnvironment(env: Env): Env {
  const { [AGENT_VARIABLE]: _agent, [SESSION_DIRECTORY_VARIABLE]: _directory, ...rest } = env;
  return rest;
}
