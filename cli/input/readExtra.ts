import type { Io } from '../io/io.ts';
import { usage } from './parse.ts';
import { readJson } from './readInput.ts';

/** The commands that a person gives for command phases; undefined: none. */
export async function readExtra(
  io: Io,
  { extra: file, verify }: { extra?: string | undefined; verify?: string[][] | undefined },
): Promise<Record<string, unknown> | undefined> {
  const extra = file === undefined ? undefined : await readJson(io, file, 'the extra inputs');
  if (extra !== undefined && (typeof extra !== 'object' || extra === null || Array.isArray(extra))) {
    throw usage(`the extra inputs ${file} are not a JSON object`);
  }
  if (verify === undefined) return extra as Record<string, unknown> | undefined;
  return { ...extra, verify };
}
