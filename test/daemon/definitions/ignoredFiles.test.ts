import { expect, test } from 'vitest';
import { createIgnoredFiles } from '../../../daemon/definitions/ignoredFiles.ts';
import { packagePlaces } from '../../../daemon/definitions/places.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import { Template } from '../../../schemas/definitions/template.ts';
import { parseYaml } from '../../../schemas/definitions/yamlFile.ts';
import { givenConfig, templateText } from './givenConfig.ts';

function template(): Template {
  const read = parseYaml('mine', templateText('mine'));
  return Template.parse(read.ok ? read.yaml.value : undefined);
}
const bindings = [{ personaName: 'me', personaVersion: 2 }] as Binding[];
const places = packagePlaces();

function said(ref: string, files: Record<string, string>): string[] {
  const errors = Object.entries(files).map(([file, message]) => ({ file: `/c/${file}`, path: '', message }));
  return createIgnoredFiles(() => ({ errors }), givenConfig().paths, places)(template(), ref, bindings);
}

test.each<[string, string, Record<string, string>, string[]]>([
  [
    'an edited version',
    'mine@1',
    { 'templates/mine@1.yaml': 'was published' },
    ['/c/templates/mine@1.yaml is not in force (was published), so the run uses mine@1 as it was published.'],
  ],
  [
    'a newer version with a fault',
    'mine',
    { 'templates/mine@2.yaml': 'has no phases' },
    ['/c/templates/mine@2.yaml is not in force (has no phases), so the run uses mine@1 as it was published.'],
  ],
  [
    'an edited persona',
    'mine',
    { 'personas/me@2.yaml': 'was published' },
    ['/c/personas/me@2.yaml is not in force (was published), so the run uses me@2 as it was published.'],
  ],
  ['no newer version, if one is named', 'mine@1', { 'templates/mine@2.yaml': 'x' }, []],
  [
    'no other definition',
    'mine',
    { 'templates/other@1.yaml': 'x', 'personas/you@2.yaml': 'x', 'personas/me@1.yaml': 'x' },
    [],
  ],
])('a run names %s', (_, ref, files, expected) => {
  expect(said(ref, files)).toEqual(expected);
});

test('a run names an artifact schema that a built-in one hides', () => {
  const { paths, write } = givenConfig();
  const file = write('artifacts/dev/implementation@1.json', '{}');
  const ignored = createIgnoredFiles(() => ({ errors: [] }), paths, places);
  expect(ignored(template(), 'mine', bindings)).toEqual([
    `${file} is not in force, because dev/implementation@1 is built in. Give yours another name or version.`,
  ]);
});
