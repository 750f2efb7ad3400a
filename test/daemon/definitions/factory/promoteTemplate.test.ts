import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Promoted, promoteTemplate } from '../../../../daemon/definitions/factory/promoteTemplate.ts';
import { versionAfter, versionsIn } from '../../../../schemas/definitions/schemaIds.ts';

function givenPlaces() {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-promote-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { dir, templates: join(dir, 'templates'), artifacts: join(dir, 'artifacts') };
}

const GIVEN: Promoted = {
  name: 'ship-it',
  version: 1,
  yaml: 'name: ship-it\n',
  artifacts: [{ schema: 'me/note@1', definition: { type: 'string' }, ok: 'a', invalid: 1 }],
  provenance: { run: 'one' },
};

test('writes the template, its schemas and where they come from', () => {
  const places = givenPlaces();
  const file = join(places.templates, 'ship-it@1.yaml');
  const schema = join(places.artifacts, 'me/note@1.json');
  expect(promoteTemplate(places, GIVEN)).toEqual({ ok: true, file, artifacts: [schema] });
  expect(readFileSync(file, 'utf8')).toBe('name: ship-it\n');
  expect(readdirSync(places.templates)).toEqual(['ship-it@1.provenance.json', 'ship-it@1.yaml']);
  expect(JSON.parse(readFileSync(schema, 'utf8'))).toEqual({ type: 'string' });
  expect(readFileSync(join(places.artifacts, 'fixtures/me/note@1/invalid.json'), 'utf8')).toBe('1\n');
});

test('done twice is done once', () => {
  const places = givenPlaces();
  expect(promoteTemplate(places, GIVEN)).toEqual(promoteTemplate(places, GIVEN));
});

test('of two promotions of one version one succeeds, and the other hears the next free version', () => {
  const places = givenPlaces();
  expect(promoteTemplate(places, GIVEN).ok).toBe(true);
  const other = promoteTemplate(places, { ...GIVEN, yaml: 'name: ship-it # other\n', provenance: { run: 'two' } });
  expect(other).toEqual({ ok: false, reason: expect.stringContaining('The next free version is 2') });
  expect(readFileSync(join(places.templates, 'ship-it@1.yaml'), 'utf8')).toBe('name: ship-it\n');
});

test('replaces no file that a person wrote', () => {
  const places = givenPlaces();
  mkdirSync(places.templates);
  writeFileSync(join(places.templates, 'ship-it@1.yaml'), 'mine');
  expect(promoteTemplate(places, GIVEN)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/with other content$/),
  });
  expect(readFileSync(join(places.templates, 'ship-it@1.yaml'), 'utf8')).toBe('mine');
});

test('follows a link that the person made of the directory', () => {
  const places = givenPlaces();
  mkdirSync(join(places.dir, 'dotfiles'));
  symlinkSync(join(places.dir, 'dotfiles'), places.templates);
  expect(promoteTemplate(places, GIVEN).ok).toBe(true);
  expect(readdirSync(join(places.dir, 'dotfiles'))).toContain('ship-it@1.yaml');
});

test('counts versions of that name alone', () => {
  const { templates } = givenPlaces();
  expect(versionAfter(versionsIn(templates, 'a'))).toBe(1);
  mkdirSync(templates);
  for (const name of ['a@1.yaml', 'a@9.yml', 'a@12.txt', 'ab@40.yaml', 'a@x.yaml', 'a@10.provenance.json']) {
    writeFileSync(join(templates, name), '');
  }
  expect(versionAfter(versionsIn(templates, 'a'))).toBe(11);
});
