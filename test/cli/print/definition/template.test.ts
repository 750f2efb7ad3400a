import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printTemplate } from '../../../../cli/print/definition/template.ts';
import { readTemplateFile } from '../../../../schemas/definitions/definitionFile.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { fakeIo } from '../../fakeIo.ts';

function printed(file: string): string {
  const result = readTemplateFile(join(packageRoot(), file), { schemaFault: () => undefined });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const io = fakeIo();
  printTemplate(io, { ...result.value, usedBy: [] });
  return io.written.out;
}

test('shows the kind of each phase, and how its lanes work', () => {
  const text = printed('schemas/templates/parallel-development@1.yaml');
  expect(text).toMatch(/^implement +lanes +implementer, resolver +medium +dev\/implementation@1/m);
  expect(text).toMatch(/^verify +command /m);
  expect(text).toMatch(/^Lanes\nPHASE +TASKS FROM +AT ONCE +BATCH +CHECKS\nimplement +plan +4 +3 +verify$/m);
});

test('shows no lanes where there are none', () => {
  expect(printed('schemas/templates/development@1.yaml')).not.toContain('Lanes');
});
