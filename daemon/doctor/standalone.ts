import type { Config } from '../../schemas/config/config.ts';
import { readConfig } from '../../schemas/config/configLoad.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { createLists } from '../store/lists.ts';
import type { CheckResult, DoctorSubject } from './check.ts';
import { lookForDatabase } from './databaseProbe.ts';
import { examine, runDoctor } from './doctor.ts';
import { orphanResults } from './orphans.ts';

export interface DoctorRequest {
  strict: boolean;
  /** One `warn` for each orphaned worktree instead of the checks. */
  listOrphans: boolean;
}

/**
 * What `daemon.doctor` answers where no daemon runs (`oneshot`), and where one does. Rejects only with `listOrphans`,
 * which needs the configuration and the database: an unknown run would make an orphan of every worktree.
 */
export async function runDoctorStandalone(request: DoctorRequest, env: Env = process.env): Promise<CheckResult[]> {
  const subject: DoctorSubject = { ...configuration(env), paths: resolvePaths(env), strict: request.strict, env };
  return request.listOrphans ? orphansHere(subject) : runDoctor(subject);
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

async function orphansHere(subject: DoctorSubject): Promise<CheckResult[]> {
  if (!subject.config) throw subject.configError;
  const found = await lookForDatabase(examine(subject));
  if (found.state !== 'up') {
    throw new DevflowError('db_unreachable', `Which worktrees belong to a run is not known: ${found.detail}.`, {
      recoveryHint: found.state === 'broken' ? found.remediation : 'Run devflow up first.',
    });
  }
  try {
    return await orphanResults(subject.config.workspaceRoot, await createLists(found.pool).listRunIds());
  } finally {
    await found.close();
  }
}
