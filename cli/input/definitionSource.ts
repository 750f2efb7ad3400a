import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DefinitionSource } from '../../schemas/rpc/views/lint.ts';
import type { Io } from '../io/io.ts';
import { type DraftKind, draftFile } from './drafts.ts';
import { readInput } from './readInput.ts';

const REF = /^[a-z0-9][a-z0-9_-]*(?:@\d+)?$/;

/** A file, `-` for standard input, or the name of a draft or of a loaded definition, in this order. */
export async function definitionSource(io: Io, given: string, kind: DraftKind): Promise<DefinitionSource> {
  const file = definitionFile(io, given, kind);
  if (file === undefined) return { ref: given };
  return { text: await readInput(io, file, `the ${kind} file`), file };
}

/** The file that is meant: the given one, or the draft of that name. Undefined for the name of what is loaded. */
export function definitionFile(io: Io, given: string, kind: DraftKind): string | undefined {
  const isName = REF.test(given) && !existsSync(resolve(io.cwd, given));
  return isName ? draftFile(io, kind, given) : given;
}
