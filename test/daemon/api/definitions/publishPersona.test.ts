import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLinters } from '../../../../daemon/api/definitions/linters.ts';
import { createPublishPersona } from '../../../../daemon/api/definitions/publishPersona.ts';
import { type Publishing, publishingAlone } from '../../../../daemon/definitions/factory/publishing.ts';
import { userDefinitionPlaces } from '../../../../daemon/definitions/places.ts';
import { examplePersona } from '../../../../schemas/definitions/examples/examplePersona.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { givenConfig } from '../../definitions/givenConfig.ts';

function given(more: Partial<Publishing> = {}) {
  const { paths } = givenConfig();
  const registry = createRegistry({ builtinDir: paths.userArtifacts });
  const linters = createLinters(registry, () => ({ templates: [], personas: [] }));
  const publishing = { ...publishingAlone(userDefinitionPlaces(paths)), ...more };
  return { publish: createPublishPersona(linters, publishing), file: join(paths.userPersonas, 'me@1.yaml') };
}

const TEXT = examplePersona('me', 'claude');

test('publishes a persona once, and never in the place of another', async () => {
  const { publish, file } = given();
  expect((await publish({ text: TEXT })).published).toBe(file);
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
  expect((await publish({ text: TEXT })).published).toBe(file);
  await expect(publish({ text: TEXT.replace('maxRiskLevel: high', 'maxRiskLevel: low') })).rejects.toThrowError(
    /is there already, with other content/,
  );
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
});

test('answers once the written file is in force', async () => {
  const seen: boolean[] = [];
  const { publish, file } = given({ takeUp: async () => void seen.push(existsSync(file)) });
  await publish({ text: TEXT });
  expect(seen).toEqual([true]);
});

test('writes no version that stays in force with other content, and names the next free one', async () => {
  const stored = [1, 4].map((version) => ({ version, hash: 'other' }));
  const { publish, file } = given({ storedVersions: async () => stored });
  await expect(publish({ text: TEXT })).rejects.toThrowError(
    'me@1 was published before with other content. The next free version is 5.',
  );
  expect(existsSync(file)).toBe(false);
});

test('publishes nothing that lint refuses', async () => {
  const { publish, file } = given();
  const { lint, published } = await publish({
    text: examplePersona('me', 'claude').replace('maxRiskLevel: high', 'maxRiskLevel: none'),
  });
  expect([lint.findings.map(({ code }) => code), published, existsSync(file)]).toEqual([['wrong_shape'], null, false]);
});
