import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Run } from '../../core/run/state.ts';
import type { Database } from '../../db/database.ts';
import { findChangedFiles } from '../../engine/local/exchangeFiles.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { readLastSeq, readRun } from '../../store/readLog.ts';
import { withSnapshot } from '../../store/snapshot.ts';
import { type Difference, findDifferences } from '../../store/verify.ts';
import { findMissingCommits } from './missingCommits.ts';
import { undeliveredFiles } from './undeliveredFiles.ts';

export interface VerifyParts {
  database: Pick<Database, 'pool'>;
  engine: Pick<RunEngine, 'settled'>;
}

/**
 * Proves that the rows of a run equal what its events say. Does the same for its branches and files while its worktree exists.
 * Folds the log again and ignores what is in memory. If the run moves meanwhile, it reads everything again.
 */
export async function verifyRun(runId: string, { database, engine }: VerifyParts): Promise<RpcResult<'run.verify'>> {
  for (;;) {
    await engine.settled(runId);
    const { run, differences } = await withSnapshot(database.pool, async (queries) => {
      const run = await readRun(queries, runId);
      if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
      return { run, differences: await findDifferences(queries, run) };
    });
    const outside = [...(await findMissingCommits(run)), ...(await changedFiles(run))];
    if (outside.length > 0 && (await readLastSeq(database.pool, runId)) !== run.lastSeq) continue;
    const all = [...differences, ...outside];
    return { runId, ok: all.length === 0, differences: all };
  }
}

/** The files of its exchange: in the branch once the run delivered them there, and in the worktree before. */
async function changedFiles(run: Run): Promise<Difference[]> {
  if (run.delivered) return undeliveredFiles(run, run.delivered);
  // The agents of a run that just ended may still write. Once they are gone, devflow writes its files again.
  if (isTerminal(run.state) && run.reportPath === null) return [];
  return (await findChangedFiles(run)).map(({ path, is }) => ({
    path: `files.${path}`,
    replayed: run.exchange?.files[path] ?? null,
    stored: is,
  }));
}
