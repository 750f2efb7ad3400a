import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Brought } from '../../../schemas/definitions/brought.ts';
import { examplesDir } from '../../../schemas/files/runPaths.ts';

/** Writes what fake agents write for the schemas of a draft. */
export function keepExamples(runDirectory: string, { schemas }: Pick<Brought, 'schemas'>): void {
  for (const { schema, ok } of schemas) {
    if (ok === undefined) continue;
    const file = join(examplesDir(runDirectory), schema, 'ok.json');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(ok), { mode: 0o600 });
  }
}
