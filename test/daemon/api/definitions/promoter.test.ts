import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPromote } from '../../../../daemon/api/definitions/promoter.ts';
import { type Publishing, publishingAlone } from '../../../../daemon/definitions/factory/publishing.ts';
import { definitionPlaces, packagePlaces, userDefinitionPlaces } from '../../../../daemon/definitions/places.ts';
import { loadDefinitions } from '../../../../schemas/definitions/definitions.ts';
import { exampleTemplate } from '../../../../schemas/definitions/examples/exampleTemplate.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { resolvePaths } from '../../../../schemas/files/paths.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-promote-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function opened(more: Partial<Publishing> = {}) {
  const builtin = packagePlaces();
  const paths = resolvePaths({ DEVFLOW_HOME: home });
  const registry = createRegistry({ builtinDir: builtin.artifacts, userDir: paths.userArtifacts });
  const loaded = loadDefinitions(definitionPlaces(registry, builtin, paths));
  const places = userDefinitionPlaces(paths);
  return {
    promote: createPromote({ registry, current: () => loaded, publishing: { ...publishingAlone(places), ...more } }),
    ...places,
  };
}

const QUICK = exampleTemplate('mine', 'quick');

test('a sound template is published with its origin, whole, and again without a change', async () => {
  const { promote, templates } = opened();
  const file = join(templates, 'mine@1.yaml');
  const first = await promote({ text: QUICK });
  expect(first).toMatchObject({ faults: [], rehearsal: { ok: true }, promoted: { file, artifacts: [] } });
  expect(readFileSync(file, 'utf8')).toBe(QUICK);
  expect(JSON.parse(readFileSync(join(templates, 'mine@1.provenance.json'), 'utf8'))).toEqual({
    template: { name: 'mine', version: 1, hash: first.lint.hash },
    promotedBy: 'devflow template promote',
    walk: { states: first.rehearsal?.states, steps: first.rehearsal?.steps },
    warnings: [],
  });
  expect((await opened().promote({ text: QUICK })).promoted).toEqual(first.promoted);
  expect(readdirSync(templates).sort()).toEqual(['mine@1.provenance.json', 'mine@1.yaml']);
});

test('another text of a promoted version is refused, and the next free version is named', async () => {
  const { promote, templates } = opened();
  await promote({ text: QUICK });
  const other = QUICK.replace('title: Make the change', 'title: Make it');
  await expect(promote({ text: other })).rejects.toThrowError(
    expect.objectContaining({ code: 'file_exists', message: expect.stringContaining('next free version is 2') }),
  );
  expect(readFileSync(join(templates, 'mine@1.yaml'), 'utf8')).toBe(QUICK);
});

test.each([
  ['asks nobody', QUICK.replace('    gates: [changes_approved]\n', ''), ['no_approval']],
  ['is built in', QUICK.replace('name: mine', 'name: quick-change'), ['changed_builtin']],
  ['is no YAML', 'name: [', ['yaml_error']],
  ['has too many keys', '{a,'.repeat(50_000), ['too_large']],
])('a template that %s is not published', async (_, text, codes) => {
  const { promote, templates } = opened();
  const { lint, rehearsal, promoted } = await promote({ text });
  expect(lint.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes);
  expect({ rehearsal, promoted }).toEqual({ rehearsal: null, promoted: null });
  expect(existsSync(templates)).toBe(false);
});

test('its artifact schemas come with it, if they agree with their examples', async () => {
  const { promote, artifacts, templates } = opened();
  const text = QUICK.replace('schema: dev/implementation@1', 'schema: me/note@1');
  const note = { schema: 'me/note@1', definition: { type: 'string' }, ok: 'a', invalid: 1 };
  const refused = await promote({ text, artifacts: [{ ...note, ok: 2 }] });
  expect(refused).toMatchObject({ promoted: null, faults: [{ path: '/artifacts/0/ok' }] });
  expect(existsSync(templates)).toBe(false);
  const schema = join(artifacts, 'me/note@1.json');
  expect((await promote({ text, artifacts: [note] })).promoted?.artifacts).toEqual([schema]);
  expect(JSON.parse(readFileSync(schema, 'utf8'))).toEqual({ type: 'string' });
});

test('a file of the person that is there already is never replaced', async () => {
  const { promote, templates } = opened();
  await promote({ text: QUICK });
  const file = join(templates, 'mine@1.yaml');
  rmSync(file);
  writeFileSync(file, 'mine: yes\n');
  await expect(promote({ text: QUICK })).rejects.toThrowError(expect.objectContaining({ code: 'file_exists' }));
  expect(readFileSync(file, 'utf8')).toBe('mine: yes\n');
});

test('it is in force when the answer comes, with its schemas', async () => {
  const seen: unknown[] = [];
  const { promote, templates, artifacts } = opened({
    takeUp: async () => void seen.push(readdirSync(templates).sort(), readdirSync(join(artifacts, 'me')).sort()),
  });
  const text = QUICK.replace('schema: dev/implementation@1', 'schema: me/note@1');
  await promote({ text, artifacts: [{ schema: 'me/note@1', definition: { type: 'string' }, ok: 'a', invalid: 1 }] });
  expect(seen).toEqual([['mine@1.provenance.json', 'mine@1.yaml'], ['note@1.json']]);
});

test('a version that is stored with other content is not published, although its file is gone', async () => {
  const { promote, templates } = opened({ storedVersions: async () => [{ version: 1, hash: 'other' }] });
  await expect(promote({ text: QUICK })).rejects.toThrowError(
    'mine@1 was published before with other content. The next free version is 2.',
  );
  expect(existsSync(templates)).toBe(false);
});
