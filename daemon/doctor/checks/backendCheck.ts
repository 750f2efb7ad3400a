import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import type { AgentProgram } from '../../../schemas/names.ts';
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
