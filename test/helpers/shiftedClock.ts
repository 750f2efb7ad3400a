import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';

/** The environment of a program on a machine whose clock is so far ahead. */
export function shiftedClock(ms: number): Record<string, string> {
  const program = join(packageRoot(), 'test', 'fixtures', 'shiftedClock.mjs');
  return { NODE_OPTIONS: `--import ${program}`, CLOCK_SHIFT_MS: String(ms) };
}
