import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { Scratch } from './scratch.ts';

/** Waits for the end of its input, which comes when this process ends, however it ends. */
const SCRIPT = 'cat > /dev/null; [ ! -d "$1" ] || exec "$2" __end-scratch "$1"';

/**
 * Ends the programs of a scratch and removes it, should this process be killed before it can do so itself. Returns how to
 * let it go.
 */
export function guardScratch({ directory, env }: Pick<Scratch, 'directory' | 'env'>): () => void {
  const program = join(packageRoot(), 'bin', 'devflow');
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'devflow-guard', directory, program], {
    // In a session of its own, Ctrl-C does not reach it.
    detached: true,
    cwd: '/',
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const input = guard.stdin as Writable & { unref(): void };
  // All works without a guard, unless this process is killed.
  guard.on('error', () => {});
  input.on('error', () => {});
  guard.unref();
  input.unref();
  return () => input.end();
}
