import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { Io } from '../io/io.ts';
import type { Scratch } from './scratch.ts';

/** True if a person can see the dashboard: on a terminal, but not in CI, which may have one, too. */
export function canShow(io: Io): boolean {
  return io.inIsTty && io.outIsTty && !io.env.CI && io.env.TERM !== 'dumb';
}

/** Shows the run in the dashboard, in another process, until the person closes it or the demo is aborted. */
export async function showDashboard(io: Io, { env }: Scratch, runId: string, signal: AbortSignal): Promise<void> {
  io.out('Opening the dashboard on the run. q closes it.\n');
  const program = join(packageRoot(), 'bin', 'devflow');
  const child = spawn(program, ['tui', '--screen', 'run', '--about', runId], { env, stdio: 'inherit', cwd: io.cwd });
  const end = () => child.kill();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  signal.removeEventListener('abort', end);
}
