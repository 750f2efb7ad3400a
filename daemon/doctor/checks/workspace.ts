import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Check, fail, pass, unchecked } from '../probe/check.ts';

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
