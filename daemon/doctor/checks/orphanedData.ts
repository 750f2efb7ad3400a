import { type Check, pass } from '../probe/check.ts';
import { diagnoseOrphanedData } from '../probe/orphanedData.ts';

/** Only root has data outside of its homes. */
export const orphanedData: Check = {
  name: 'orphaned-data',
  run: (subject) =>
    process.getuid?.() === 0 ? diagnoseOrphanedData(subject) : pass('none: the database lies in its home'),
};
