import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import type { Ports } from '../rpc/ports.ts';
import type { RunLog } from '../store/runLog.ts';
import { findDifferences } from '../store/verify.ts';

/**
 * Proves on a run that its rows are what its events say. The log is read anew, whatever is in memory. Rows and events are
 * written together: if the run moved between the two reads, they are no proof, and both are read again.
 */
export function createVerify(database: Database, runLog: RunLog): Ports['verify'] {
  return {
    async run(runId) {
      for (;;) {
        const run = await runLog.readRun(runId);
        if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
        const differences = await findDifferences(database.pool, run);
        if (differences.length > 0 && (await runLog.readLastSeq(runId)) !== run.lastSeq) continue;
        return { runId, ok: differences.length === 0, differences };
      }
    },
  };
}
