import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';

/** Writes a file that does not exist yet, and the directories above it. Never overwrites. */
export function writeNew(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new DevflowError('file_exists', `${path} exists already, and devflow does not overwrite it`, { cause });
    }
    throw new DevflowError('usage', `${path} cannot be written: ${(cause as Error).message}`, {
      cause,
      recoveryHint: 'Give a place where you may write: --out <file>.',
    });
  }
}
