import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Database } from '../../db/open.ts';
import { findChangedFiles } from '../../engine/local/exchangeFiles.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { RunLog } from '../../store/runLog.ts';
import { findDifferences } from '../../store/verify.ts';

export interface VerifyParts {
  database: Pick<Database, 'pool'>;
  runLog: Pick<RunLog, 'readRun' | 'readLastSeq'>;
  engine: Pick<RunEngine, 'settled'>;
}

/**
 * Proves that the rows of a run equal what its events say. It folds the log again and ignores what is in memory.
 * If the run moves between the two reads, it reads both again.
 */
export async function verifyRun(
  runId: string,
  { database, runLog, engine }: VerifyParts,
): Promise<RpcResult<'run.verify'>> {
  for (;;) {
    await engine.settled(runId);
    const run = await runLog.readRun(runId);
    if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
    const differences = await findDifferences(database.pool, run);
    if (differences.length > 0 && (await runLog.readLastSeq(runId)) !== run.lastSeq) continue;
    const changed = (await findChangedFiles(run)).map(({ path, is }) => ({
      path: `files.${path}`,
      replayed: run.exchange?.files[path] ?? null,
      stored: is,
    }));
    if (changed.length > 0 && (await runLog.readLastSeq(runId)) !== run.lastSeq) continue;
    const all = [...differences, ...changed];
    return { runId, ok: all.length === 0, differences: all };
  }
}
