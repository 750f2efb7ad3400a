import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { GIT_SETTINGS, gitVariables } from '../../schemas/config/gitSettings.ts';
import { type Io, terminalText } from '../io.ts';

/**
 * Shows a long text in the person's pager where standard output is a terminal, and prints it elsewhere. It is the pager that git
 * would take, but never one that a repository names.
 */
export async function page(io: Io, text: string, wanted = true): Promise<void> {
  const pager = wanted && io.outIsTty ? await pagerOf(io) : '';
  if (pager === '' || pager === 'cat') return io.out(text);
  // What sh says of a program that is not there.
  if ((await runPager(io, pager, terminalText(text))) === 127) io.out(text);
}

async function pagerOf({ env }: Io): Promise<string> {
  return env.GIT_PAGER ?? (await personPager(env)) ?? env.PAGER ?? 'less';
}

/** Only of the person's own file: git reads no other one with `--global`. */
async function personPager(env: Io['env']): Promise<string | undefined> {
  const words = [...GIT_SETTINGS, 'config', '--global', '--get', 'core.pager'];
  const found = await promisify(execFile)('git', words, { cwd: '/', env: gitVariables(env) }).catch(() => undefined);
  return found?.stdout.replace(/\n$/, '');
}

function runPager(io: Io, pager: string, text: string): Promise<number> {
  const env = { LESS: 'FRX', LV: '-c', ...io.env };
  // Ctrl-C is for the pager, which may only end a search with it.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve) => {
    const child = spawn('/bin/sh', ['-c', pager], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
    // A pager may be left before it has read all.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  }).finally(() => process.off('SIGINT', ignore));
}
