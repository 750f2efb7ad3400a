import { statfs } from 'node:fs/promises';
import { type Check, type Diagnosis, fail, pass, unchecked, warn } from '../probe/check.ts';
import { diagnoseOrphanedData } from '../probe/orphanedData.ts';
import { nearestExisting } from './config.ts';

const GB = 1e9;

export const disk: Check = {
  name: 'disk',
  async run({ config, strict }) {
    if (!config) return unchecked();
    const { bavail, bsize } = await statfs(await nearestExisting(config.workspaceRoot));
    return diskDiagnosis(bavail * bsize, config.workspaceRoot, strict);
  },
};

/** Passes from 5 GB on, with `strict` from 10 GB on. */
export function diskDiagnosis(free: number, directory: string, strict: boolean): Diagnosis {
  const detail = `${(free / GB).toFixed(1)} GB free for ${directory}`;
  const remediation = 'Free some space, or remove finished worktrees: devflow cleanup <run>.';
  if (free < 2 * GB) return fail(detail, remediation);
  return free < (strict ? 10 : 5) * GB ? warn(detail, remediation) : pass(detail);
}

/** Only root has data outside of its homes. */
export const orphanedData: Check = {
  name: 'orphaned-data',
  run: (subject) =>
    process.getuid?.() === 0 ? diagnoseOrphanedData(subject) : pass('none: the database lies in its home'),
};
