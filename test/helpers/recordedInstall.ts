import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDir as runDirOf } from '../../schemas/files/paths.ts';
import type { TestDaemon } from './daemon.ts';
import { writeFiles } from './writeFiles.ts';

const RECORDED = join(import.meta.dirname, '../fixtures/upgrades');

/**
 * What earlier versions of devflow left on a machine with an open run of the fake agent, when they were killed: their database
 * (`pg_dump --inserts`, without unused templates and personas), the repository (`git fast-export`), and the files of the run.
 *
 * `version-1`: behaviour 1, at the gate of its last phase. `before-lanes`: behaviour 2, in the middle of an agent's turn, with
 * the schema that knew no lanes. Its agent, which never ended, ends the turn after the upgrade.
 */
export type RecordedInstall = 'version-1' | 'before-lanes';

/** Puts a recorded install in place of the empty one of a daemon that was not started yet. */
export async function restoreInstall(daemon: TestDaemon, name: RecordedInstall): Promise<{ runId: string }> {
  const repository = join(daemon.root, 'repository');
  const read = (file: string) =>
    readFileSync(join(RECORDED, name, file), 'utf8')
      .replaceAll('{{repository}}', repository)
      .replaceAll('{{workspaces}}', daemon.workspaceRoot);
  const { runId, files } = JSON.parse(read('workspace.json')) as { runId: string; files: Record<string, string> };
  const runDir = runDirOf(daemon.workspaceRoot, runId);

  const git = (args: string[], input?: Buffer) =>
    execFileSync('git', args, { cwd: repository, env: daemon.env, input });
  mkdirSync(repository);
  git(['init', '-q', '-b', 'main']);
  git(['fast-import', '--quiet'], readFileSync(join(RECORDED, name, 'repository.txt')));
  git(['reset', '-q', '--hard']);
  git(['worktree', 'add', '-q', join(runDir, 'main'), `devflow/${runId}/main`]);
  writeFiles(runDir, files);
  await daemon.query('DROP SCHEMA public CASCADE; DROP SCHEMA drizzle CASCADE; CREATE SCHEMA public');
  await daemon.query(read('database.sql'));
  return { runId };
}
