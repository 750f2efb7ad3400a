import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
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

/** Writes nothing: `access` reports permissions and read-only mounts. The check `disk` reports a full disk. */
export const workspace: Check = {
  name: 'workspace',
  async run({ config }) {
    const remediation = 'Make the directory writable for you, or set DEVFLOW_WORKSPACE_ROOT to another one.';
    if (!config) return unchecked();
    const directory = config.workspaceRoot;
    try {
      const there = await nearestExisting(directory);
      if (!(await stat(there)).isDirectory()) return fail(`${there} is not a directory`, remediation);
      await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
      return pass(
        there === directory ? `${directory} is writable` : `${directory} is not made yet (devflow up makes it)`,
      );
    } catch (error) {
      return fail(`${directory} cannot be used (${(error as NodeJS.ErrnoException).code ?? error})`, remediation);
    }
  },
};

/** The path itself, or its nearest ancestor that exists. */
export async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).catch((error: NodeJS.ErrnoException) => error.code !== 'ENOENT');
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}
