import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DefinitionSource } from '../../schemas/rpc/views/lint.ts';
import type { Io } from '../io/io.ts';
import { readInput } from './readInput.ts';

const REF = /^[a-z0-9][a-z0-9_-]*(?:@\d+)?$/;

/** A file, `-` for standard input, or the name of a loaded definition. A file of that name comes first. */
export async function definitionSource(io: Io, given: string, what: string): Promise<DefinitionSource> {
  if (REF.test(given) && !existsSync(resolve(io.cwd, given))) return { ref: given };
  return { text: await readInput(io, given, what), file: given };
}
