import { spawn } from 'node:child_process';
import { DevflowError } from '../../schemas/errors.ts';
import { visible } from '../../schemas/text/visible.ts';
import { checkWorktree } from './openInEditor.ts';

/** Runs the person's shell in a worktree until they exit. Its exit code does not matter. */
export async function runShell({ path, label }: { path: string; label: string }): Promise<void> {
  await checkWorktree(path);
  const shell = process.env.SHELL || '/bin/sh';
  const notice = [
    `devflow: a shell in the worktree of ${visible(label)}`,
    `  ${visible(path)}`,
    '  An agent wrote these files: read them before you run them. `exit` returns to the dashboard.',
  ];
  process.stdout.write(`${notice.join('\n')}\n\n`);
  return new Promise((resolve, reject) => {
    const env = { ...process.env, DEVFLOW_WORKTREE: path };
    const child = spawn(shell, [], { cwd: path, stdio: 'inherit', env });
    child.on('error', ({ message }) => {
      const hint = { recoveryHint: 'Set SHELL to the path of your shell.' };
      reject(new DevflowError('usage', `the shell (${shell}) did not start: ${message}`, hint));
    });
    child.on('close', () => resolve());
  });
}
