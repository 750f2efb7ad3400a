import { expect, test } from 'vitest';
import { LOOK_FROM_5, VERDICT_FROM_5 } from '../../../../daemon/kinds/review/promptsFrom5.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { BATCH_CATEGORIES, FindingCategory } from '../../../../schemas/enums.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

const registry = createRegistry({ builtinDir: `${packageRoot()}/schemas/artifacts` });

test('the categories of a batch are those that a prompt explains, and that a finding may have', () => {
  const { properties } = registry.loadSchema('dev/review-finding-batch@2') as {
    properties: { findings: { items: { properties: { category: { enum: string[] } } } } };
  };
  expect(properties.findings.items.properties.category.enum).toEqual([...BATCH_CATEGORIES]);
  for (const name of BATCH_CATEGORIES) expect(LOOK_FROM_5.artifact).toContain(`\n                ${name}: `);
  expect(FindingCategory.options).toEqual(expect.arrayContaining([...BATCH_CATEGORIES]));
});

test('a reviewer and a verifier are told how to cite removed lines', () => {
  expect(LOOK_FROM_5.artifact).toContain('"side": "old"');
  expect(VERDICT_FROM_5).toContain('a quote of the file as it was counts too');
});
