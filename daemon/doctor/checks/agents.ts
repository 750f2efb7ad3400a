import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../schemas/names.ts';
import { type Check, type Examined, pass, warn } from '../probe/check.ts';

/**
 * Looks for an agent's program and does not run it. One agent is enough, so a program that is absent is a warning only
 * without any, or if the configuration names its file.
 */
export function backendCheck(id: AgentProgram): Check {
  return {
    name: id,
    run(subject) {
      const backend = subject.config?.backends[id];
      if (backend && !backend.enabled) return pass('disabled in the configuration');
      const path = programOf(subject, id);
      if (path) return pass(`${path} (devflow doctor --agents tests that it starts and is logged in)`);
      const absent = backend?.reason ?? `no program named ${id} is on PATH`;
      const [other] = usableAgents(subject);
      if (other !== undefined && !backend?.binaryPath)
        return pass(`not needed, ${other} can play all roles: ${absent}`);
      return warn(absent, `Install ${id}, or set backends.${id}.enabled: false in config.yaml.`);
    },
  };
}

/** The program of an enabled agent; undefined if there is none. */
function programOf({ config, env }: Examined, id: AgentProgram): string | undefined {
  const backend = config?.backends[id];
  if (!backend) return findOnPath(id, env.PATH ?? '');
  return backend.enabled && backend.available ? backend.binaryPath : undefined;
}

function usableAgents(subject: Examined): AgentProgram[] {
  return AGENT_PROGRAMS.filter((id) => programOf(subject, id) !== undefined);
}

const REMEDIATION =
  'Install one of them. To try devflow without one, run devflow demo, or run start with --backend <role>=fake for each role.';

/** One agent is enough. A new user may have none. */
export const agents: Check = {
  name: 'agents',
  run(subject) {
    const usable = usableAgents(subject);
    if (usable.length > 0) return pass(`${usable.join(', ')} can play roles`);
    return warn(`no agent is usable: none of ${AGENT_PROGRAMS.join(', ')} is installed and enabled`, REMEDIATION);
  },
};
