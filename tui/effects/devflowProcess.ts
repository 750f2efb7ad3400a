import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { ApiError } from '../model/apiError.ts';

const LAUNCHER = join(packageRoot(), 'bin', 'devflow');

/** Runs a devflow command in the background. Resolves with its error, if it fails. */
export function devflow(words: readonly string[]): Promise<ApiError | undefined> {
  return run(words, 'ignore');
}

/** Runs a devflow command on the terminal. Resolves with its error, if it fails. */
export function devflowOnTerminal(words: readonly string[]): Promise<ApiError | undefined> {
  return run(words, 'inherit');
}

function run(words: readonly string[], terminal: 'inherit' | 'ignore'): Promise<ApiError | undefined> {
  return new Promise((resolve) => {
    const child = spawn(LAUNCHER, words, { stdio: [terminal, terminal, 'pipe'] });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4_000);
    });
    child.on('error', (error) => resolve({ code: 'internal', message: error.message }));
    child.on('close', (code) => {
      if (code === 0) return resolve(undefined);
      const message =
        errors.trim().split('\n').slice(-2).join(' ') || `devflow ${words.join(' ')} failed with exit code ${code}.`;
      resolve({ code: 'internal', message });
    });
  });
}
