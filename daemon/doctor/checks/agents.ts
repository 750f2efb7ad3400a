import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../schemas/names.ts';
import { type Check, pass, warn } from '../probe/check.ts';

/** Looks for an agent's program and does not run it. A missing program is only a warning: another backend is enough. */
export function backendCheck(id: AgentProgram): Check {
  return {
    name: id,
    run({ config, env }) {
      const backend = config?.backends[id];
      if (backend && !backend.enabled) return pass('disabled in the configuration');
      const path = backend ? backend.available && backend.binaryPath : findOnPath(id, env.PATH ?? '');
      if (path) return pass(`${path} (devflow doctor --agents tests that it starts and is logged in)`);
      const remediation = `Install ${id}, or set backends.${id}.enabled: false in config.yaml.`;
      return warn(backend?.reason ?? `no program named ${id} is on PATH`, remediation);
    },
  };
}

const REMEDIATION =
  'Install one of them. To try devflow without one, run devflow demo, or run start with --backend <role>=fake for each role.';

/** One agent is enough. A new user may have none. */
export const agents: Check = {
  name: 'agents',
  run({ config, env }) {
    const usable = AGENT_PROGRAMS.filter((id) => {
      const backend = config?.backends[id];
      return backend ? backend.enabled && backend.available : findOnPath(id, env.PATH ?? '') !== undefined;
    });
    if (usable.length > 0) return pass(`${usable.join(', ')} can play roles`);
    return warn(`no agent is usable: none of ${AGENT_PROGRAMS.join(', ')} is installed and enabled`, REMEDIATION);
  },
};
