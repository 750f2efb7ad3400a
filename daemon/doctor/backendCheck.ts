import { findOnPath } from '../../schemas/backendBinaries.ts';
import type { Backend } from '../../schemas/enums.ts';
import { type Check, pass, warn } from './check.ts';

/** An agent's program is there. Never more than a warning: another backend may do. The program itself is not run. */
export function backendCheck(id: Exclude<Backend, 'fake'>): Check {
  return {
    name: id,
    run({ config, env }) {
      const backend = config?.backends[id];
      if (backend && !backend.enabled) return pass('disabled in the configuration');
      const path = backend ? backend.available && backend.binaryPath : findOnPath(id, env.PATH ?? '');
      if (path) return pass(`${path}; whether it starts and is logged in: devflow doctor --agents`);
      const remediation = `Install ${id}, or disable it: backends.${id}.enabled: false in config.yaml.`;
      return warn(backend?.reason ?? `no program named ${id} is on PATH`, remediation);
    },
  };
}
