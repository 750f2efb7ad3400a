import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { keeperNews } from '../../schemas/keeper/record.ts';
import { keeperPrograms } from './daemonProgram.ts';

/** Removes what a keeper that gave up has left: its record, and its text in the tmux status lines. */
export async function forgetKeeper(env: Env): Promise<void> {
  const { keeperFile } = resolvePaths(env);
  if (keeperNews(keeperFile)?.state !== 'gave up') return;
  rmSync(keeperFile, { force: true });
  const { program, record } = keeperPrograms(env);
  const child = spawn(process.execPath, [program, record, 'forget'], { env, stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
}
