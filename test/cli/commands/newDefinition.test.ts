import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { actions } from '../../../cli/commands/persona.ts';
import { actions as templateActions } from '../../../cli/commands/template/drafts.ts';
import { examplePersona } from '../../../schemas/definitions/examples/examplePersona.ts';
import { exampleTemplate } from '../../../schemas/definitions/examples/exampleTemplate.ts';
import { fakeIo } from '../fakeIo.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-new-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const newPersona = actions.new;
const newTemplate = templateActions.new;
const given = () => fakeIo({ env: { DEVFLOW_HOME: home }, cwd: home });

test('begins a draft of a template, which nothing publishes, and says what to do next', async () => {
  const io = given();
  const file = join(home, 'templates', 'drafts', 'mine@1.yaml');
  await newTemplate({}, { name: 'mine', kind: 'lanes' }, io, 'new');
  expect(readFileSync(file, 'utf8')).toBe(exampleTemplate('mine', 'lanes'));
  expect(io.written.out).toBe(
    `Created ${file}, a draft. Change it, then run devflow template lint mine.\nWhen it is right: devflow template publish mine. From then on this version does not change.\n`,
  );
});

test('begins the next version of what is published', async () => {
  mkdirSync(join(home, 'templates'));
  writeFileSync(join(home, 'templates', 'mine@2.yaml'), '');
  await newTemplate({}, { name: 'mine', kind: 'quick' }, given(), 'new');
  expect(readFileSync(join(home, 'templates', 'drafts', 'mine@3.yaml'), 'utf8')).toContain('version: 3\n');
});

test('begins a draft of a persona, or writes it to the given place', async () => {
  await newPersona({}, { name: 'me', backend: 'codex' }, given(), 'new');
  await newPersona({}, { name: 'me', backend: 'codex', out: 'sub/other.yaml' }, given(), 'new');
  const files = [join(home, 'personas', 'drafts', 'me@1.yaml'), join(home, 'sub', 'other.yaml')];
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(Array(2).fill(examplePersona('me', 'codex')));
});

test('prints it for -, and writes nothing', async () => {
  const io = given();
  await newTemplate({}, { name: 'mine', kind: 'quick', out: '-' }, io, 'new');
  expect(io.written.out).toBe(exampleTemplate('mine', 'quick'));
  expect(existsSync(join(home, 'templates'))).toBe(false);
});

test('never overwrites a file, or what a link names', async () => {
  writeFileSync(join(home, 'there.yaml'), 'mine');
  symlinkSync('missing.yaml', join(home, 'link.yaml'));
  for (const out of ['there.yaml', 'link.yaml']) {
    await expect(newTemplate({}, { name: 'mine', kind: 'quick', out }, given(), 'new')).rejects.toMatchObject({
      code: 'file_exists',
    });
  }
  expect(readFileSync(join(home, 'there.yaml'), 'utf8')).toBe('mine');
  expect(existsSync(join(home, 'missing.yaml'))).toBe(false);
});

test.each(['quick-change', 'Mine', '../x', ''])('refuses the name %j', async (name) => {
  await expect(newTemplate({}, { name, kind: 'quick' }, given(), 'new')).rejects.toMatchObject({ code: 'usage' });
});
