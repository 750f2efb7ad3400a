import { access, constants, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, fail, pass, unchecked } from '../check.ts';

/** Plan 3.8. It is written to for a moment: permission bits do not know of read-only mounts and full disks. */
export const workspace: Check = {
  name: 'workspace',
  async run({ config, configError }) {
    const remediation = 'Make the directory writable for this user, or set DEVFLOW_WORKSPACE_ROOT to another.';
    if (configError?.code === 'workspace_permissions') return fail(configError.message, remediation);
    if (!config) return unchecked();
    const directory = config.workspaceRoot;
    try {
      if (!(await stat(directory)).isDirectory()) return fail(`${directory} is not a directory`, remediation);
      await access(directory, constants.R_OK | constants.X_OK);
      await rmdir(await mkdtemp(join(directory, '.doctor-')));
      return pass(`${directory} is writable`);
    } catch (error) {
      return fail(`${directory} cannot be used (${(error as NodeJS.ErrnoException).code ?? error})`, remediation);
    }
  },
};
