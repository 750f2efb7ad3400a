import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { ApiError } from '../model/apiError.ts';

const LAUNCHER = join(packageRoot(), 'bin', 'devflow');

/** Runs a devflow command without a word on the terminal; what went wrong, or undefined. */
export function devflow(words: readonly string[]): Promise<ApiError | undefined> {
  return run(words, 'ignore');
}

/** Gives it the terminal; what it says when it fails comes back as well. */
export function devflowOnTerminal(words: readonly string[]): Promise<ApiError | undefined> {
  return run(words, 'inherit');
}

function run(words: readonly string[], terminal: 'inherit' | 'ignore'): Promise<ApiError | undefined> {
  return new Promise((resolve) => {
    const child = spawn(LAUNCHER, words, { stdio: [terminal, terminal, 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
    child.on('error', (error) => resolve({ code: 'internal', message: error.message }));
    child.on('close', (code) => {
      if (code === 0) return resolve(undefined);
      const message = said.trim().split('\n').slice(-2).join(' ') || `devflow ${words.join(' ')} ended with ${code}.`;
      resolve({ code: 'internal', message });
    });
  });
}
