import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { definitionFile } from '../../../cli/input/definitionSource.ts';
import { removeDraft, removeDraftSchemas } from '../../../cli/input/drafts.ts';
import { fakeIo } from '../fakeIo.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-drafts-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const io = () => fakeIo({ env: { DEVFLOW_HOME: home }, cwd: home });
function write(path: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}
const fileOf = (ref: string) => definitionFile(io(), ref, 'template');

test('a name means its newest draft', () => {
  write('templates/drafts/mine@1.yaml');
  const newest = write('templates/drafts/mine@2.yaml');
  expect([fileOf('mine'), fileOf('mine@2'), fileOf('mine@3'), fileOf('other')]).toEqual([
    newest,
    newest,
    undefined,
    undefined,
  ]);
});

test('what is published counts where it is newer, or the same version', () => {
  const draft = write('templates/drafts/mine@2.yaml');
  write('templates/mine@1.yaml');
  expect([fileOf('mine'), fileOf('mine@1')]).toEqual([draft, undefined]);
  write('templates/mine@3.yaml');
  expect([fileOf('mine'), fileOf('mine@2')]).toEqual([undefined, draft]);
  write('templates/mine@2.yaml');
  expect(fileOf('mine@2')).toBeUndefined();
});

test('a file comes first, and a draft of a persona is no draft of a template', () => {
  write('templates/drafts/mine@1.yaml');
  write('personas/drafts/me@1.yaml');
  expect([fileOf('me'), fileOf('./mine.yaml'), fileOf('-')]).toEqual([undefined, './mine.yaml', '-']);
  write('mine');
  expect(fileOf('mine')).toBe('mine');
});

test('only a draft is removed once it is published', () => {
  const draft = write('templates/drafts/mine@1.yaml');
  const file = write('mine.yaml');
  removeDraft(io(), 'template', file);
  removeDraft(io(), 'template', draft);
  expect([definitionFile(io(), 'mine', 'template'), definitionFile(io(), 'mine.yaml', 'template')]).toEqual([
    undefined,
    'mine.yaml',
  ]);
});

test('its schemas are removed with it, and those of others stay', () => {
  const draft = write('templates/drafts/mine@1.yaml');
  const other = write('templates/drafts/artifacts/me/other@1.json');
  const own = [
    write('templates/drafts/artifacts/me/note@1.json'),
    write('templates/drafts/artifacts/fixtures/me/note@1/ok.json'),
  ];
  removeDraftSchemas(io(), ['me/note@1'], write('elsewhere.yaml'));
  expect(own.every((file) => existsSync(file))).toBe(true);
  removeDraftSchemas(io(), ['me/note@1'], draft);
  expect([...own, other].map((file) => existsSync(file))).toEqual([false, false, true]);
});
