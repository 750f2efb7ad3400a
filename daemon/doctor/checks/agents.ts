import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { AGENT_PROGRAMS } from '../../../schemas/names.ts';
import { type Check, pass, warn } from '../probe/check.ts';

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
