import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLinters } from '../../../../daemon/api/definitions/linters.ts';
import { createPublishPersona } from '../../../../daemon/api/definitions/publishPersona.ts';
import { examplePersona } from '../../../../schemas/definitions/examples/examplePersona.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { givenConfig } from '../../definitions/givenConfig.ts';

function given() {
  const { userPersonas: personas, userArtifacts } = givenConfig().paths;
  const linters = createLinters(createRegistry({ builtinDir: userArtifacts }), () => ({ templates: [], personas: [] }));
  return { publish: createPublishPersona(linters, { personas }), file: join(personas, 'me@1.yaml') };
}

test('publishes a persona once, and never in the place of another', () => {
  const { publish, file } = given();
  const text = examplePersona('me', 'claude');
  expect(publish({ text }).published).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(publish({ text }).published).toBe(file);
  expect(() => publish({ text: text.replace('maxRiskLevel: high', 'maxRiskLevel: low') })).toThrowError(
    /is there already, with other content/,
  );
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('publishes nothing that lint refuses', () => {
  const { publish, file } = given();
  const { lint, published } = publish({
    text: examplePersona('me', 'claude').replace('maxRiskLevel: high', 'maxRiskLevel: none'),
  });
  expect([lint.findings.map(({ code }) => code), published, existsSync(file)]).toEqual([['wrong_shape'], null, false]);
});
