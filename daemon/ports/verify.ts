import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import type { Ports } from '../rpc/ports.ts';
import type { RunLog } from '../store/runLog.ts';
import { findDifferences } from '../store/verify.ts';

/** Proves on a run that its rows are what its events say. The log is read anew, whatever is in memory. */
export function createVerify(database: Database, runLog: RunLog): Ports['verify'] {
  return {
    async run(runId) {
      const run = await runLog.readRun(runId);
      if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
      const differences = await findDifferences(database.pool, run);
      return { runId, ok: differences.length === 0, differences };
    },
  };
}
