import type { Config } from '../../schemas/config/config.ts';
import { readConfig } from '../../schemas/config/configLoad.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { createLists } from '../store/lists.ts';
import { examine, runDoctor } from './doctor.ts';
import { orphanResults } from './orphans.ts';
import type { CheckResult, DoctorSubject } from './probe/check.ts';
import { lookForDatabase } from './probe/databaseProbe.ts';
import { removeAllOrphanedData } from './probe/orphanedData.ts';

export interface DoctorRequest {
  strict: boolean;
  /** Lists orphaned run directories instead of checking. */
  listOrphans: boolean;
  /** Removes orphaned data instead of checking. */
  removeOrphanedData?: boolean;
  /** The results that a person has confirmed. */
  confirmed?: readonly string[];
  /** The person's directory. Absent: that of this process. */
  cwd?: string;
}

/**
 * The answer of `devflow doctor` without a daemon. Rejects only with `listOrphans`, which needs the configuration and
 * the database. Without the list of runs, every worktree would look orphaned.
 */
export async function runDoctorStandalone(request: DoctorRequest, env: Env = process.env): Promise<CheckResult[]> {
  const subject: DoctorSubject = {
    ...configuration(env),
    paths: resolvePaths(env),
    strict: request.strict,
    cwd: request.cwd,
    env,
  };
  if (request.removeOrphanedData) return removeAllOrphanedData(subject, request.confirmed ?? []);
  return request.listOrphans ? listOrphansStandalone(subject) : runDoctor(subject);
}

function configuration(env: Env): { config: Config } | { configError: DevflowError } {
  try {
    return { config: readConfig(env) };
  } catch (error) {
    if (error instanceof DevflowError) return { configError: error };
    const message = error instanceof Error ? error.message : String(error);
    return { configError: new DevflowError('config_invalid', message, { cause: error }) };
  }
}

async function listOrphansStandalone(subject: DoctorSubject): Promise<CheckResult[]> {
  if (!subject.config) throw subject.configError;
  const found = await lookForDatabase(examine(subject));
  if (found.state !== 'up') {
    throw new DevflowError('db_unreachable', `devflow cannot tell which worktrees belong to a run: ${found.detail}.`, {
      recoveryHint: found.state === 'broken' ? found.remediation : 'Run devflow up first.',
    });
  }
  try {
    return await orphanResults(subject.config.workspaceRoot, await createLists(found.pool).listRunIds());
  } finally {
    await found.close();
  }
}
