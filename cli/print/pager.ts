import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { GIT_SETTINGS, gitVariables } from '../../schemas/config/gitSettings.ts';
import { type Io, terminalText } from '../io/io.ts';

/**
 * Shows a long text in the person's pager if standard output is a terminal, else prints it. It uses git's choice of pager, but
 * never one from a repository's configuration.
 */
export async function page(io: Io, text: string, wanted = true): Promise<void> {
  const pager = wanted && io.outIsTty ? await pagerOf(io) : '';
  if (pager === '' || pager === 'cat') return io.out(text);
  // sh returns 127 if it does not find the pager.
  if ((await runPager(io, pager, terminalText(text))) === 127) io.out(text);
}

async function pagerOf({ env }: Io): Promise<string> {
  return env.GIT_PAGER ?? (await personPager(env)) ?? env.PAGER ?? 'less';
}

/** From the person's own configuration: with `--global`, git reads no other file. */
async function personPager(env: Io['env']): Promise<string | undefined> {
  const words = [...GIT_SETTINGS, 'config', '--global', '--get', 'core.pager'];
  const found = await promisify(execFile)('git', words, { cwd: '/', env: gitVariables(env) }).catch(() => undefined);
  return found?.stdout.replace(/\n$/, '');
}

function runPager(io: Io, pager: string, text: string): Promise<number> {
  const env = { LESS: 'FRX', LV: '-c', ...io.env };
  // Ctrl-C belongs to the pager, which may use it to stop a search.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve) => {
    const child = spawn('/bin/sh', ['-c', pager], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 1));
    // The person may quit the pager before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  }).finally(() => process.off('SIGINT', ignore));
}
