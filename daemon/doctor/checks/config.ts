import { VARIABLES } from '../../../schemas/config/settings.ts';
import { type Check, fail, pass, unchecked, warn } from '../probe/check.ts';

/** Warns of names without `DEVFLOW_` in the environment: they belong to another project, and devflow ignores them. */
export const config: Check = {
  name: 'config',
  run({ config, configError, paths, env }) {
    if (configError) return fail(configError.message, configError.recoveryHint);
    if (!config) return unchecked();
    const unprefixed = [...VARIABLES.keys()].filter((name) => env[name] !== undefined);
    const names = unprefixed.join(', ');
    const ignored = `ignored in the environment, because the names lack DEVFLOW_: ${names}`;
    const remediation = `If devflow should use it, name it DEVFLOW_${unprefixed[0]} or put it into ${paths.envFile}. Otherwise ignore this.`;
    const files = [...new Set(Object.values(config.sources).map(({ from }) => from))].filter(
      (from) => from !== 'default',
    );
    const detail = `valid, from ${files.length > 0 ? `${files.join(', ')} and defaults` : 'defaults'}`;
    return unprefixed.length > 0 ? warn(`${detail}; ${ignored}`, remediation) : pass(detail);
  },
};
