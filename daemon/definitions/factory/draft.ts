import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Brought } from '../../../schemas/definitions/brought.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { examplesDir } from '../../../schemas/files/runPaths.ts';
import { DRAFT_CODES, type DraftCode } from '../../../schemas/lint/draftCodes.ts';

/** A draft of a template, as an agent writes it in `tpl/draft@1`. */
export interface Draft {
  yaml: string;
  cites: { argv: string[]; fact: string }[];
  artifacts: Shipped[];
}

/** An artifact schema that a template brings with it. */
export interface Shipped {
  schema: string;
  definition: Record<string, unknown>;
  ok: unknown;
  invalid: unknown;
}

/** A fault of a draft, for its author. */
export function draftFault(path: string, code: DraftCode, message: string): ValidationError {
  return { path, message: `${code}: ${message}. ${DRAFT_CODES[code].hint}` };
}

/** Writes what fake agents write for the schemas of a draft. */
export function keepExamples(runDirectory: string, { schemas }: Pick<Brought, 'schemas'>): void {
  for (const { schema, ok } of schemas) {
    if (ok === undefined) continue;
    const file = join(examplesDir(runDirectory), schema, 'ok.json');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(ok), { mode: 0o600 });
  }
}
