import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLinters } from '../../../../daemon/api/definitions/linters.ts';
import { definitionPlaces, packagePlaces } from '../../../../daemon/definitions/places.ts';
import { loadDefinitions } from '../../../../schemas/definitions/definitions.ts';
import { exampleTemplate } from '../../../../schemas/definitions/examples/exampleTemplate.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { resolvePaths } from '../../../../schemas/files/paths.ts';
import { everyBackend } from '../../../helpers/everyBackend.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-linters-'));
  mkdirSync(join(home, 'templates'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function opened(found?: Parameters<typeof createLinters>[2]) {
  const places = packagePlaces();
  const paths = resolvePaths({ DEVFLOW_HOME: home });
  const registry = createRegistry({ builtinDir: places.artifacts, userDir: paths.userArtifacts });
  const loaded = loadDefinitions(definitionPlaces(registry, places, paths));
  return createLinters(registry, () => loaded, found);
}

/** All agent programs, found or not. */
function backends(available: boolean) {
  const state = { enabled: true, available };
  return everyBackend(state);
}

function write(version: number, text: string): string {
  const file = join(home, 'templates', `mine@${version}.yaml`);
  writeFileSync(file, text.replace('version: 1', `version: ${version}`));
  return file;
}

const QUICK = exampleTemplate('mine', 'quick');

test('a name means its newest version, whatever the order of the files', () => {
  write(2, QUICK);
  const file = write(
    10,
    QUICK.replace('    title: Make the change\n', '    title: Make the change\n    timeoutMs: 1\n'),
  );
  const report = opened().lintTemplate({ ref: 'mine' });
  expect(report).toMatchObject({ name: 'mine', version: 10, findings: [{ code: 'odd_timeout', file }] });
  expect(opened().lintTemplate({ ref: 'mine@2' }).findings).toEqual([]);
});

test('an unknown name is an error that names the nearest', () => {
  expect(() => opened().lintTemplate({ ref: 'developmnt' })).toThrow(
    expect.objectContaining({
      code: 'template_not_found',
      message: 'There is no template developmnt; the nearest is development.',
    }),
  );
  expect(() => opened().lintPersona({ ref: 'planner-fake@7' })).toThrow(
    expect.objectContaining({ code: 'persona_not_found' }),
  );
});

test('only a text with the name of a file is compared with it', () => {
  const codes = (file?: string) => opened().lintTemplate({ text: QUICK, ...(file && { file }) }).findings;
  expect([codes(), codes('-'), codes('a/mine@1.yaml')]).toEqual([[], [], []]);
  expect(codes('a/b.yaml')).toMatchObject([{ code: 'file_name', file: 'a/b.yaml' }]);
});

test('with a daemon that found no agents, their backends are absent', () => {
  expect(opened(backends(false)).lintTemplate({ text: QUICK }).findings).toMatchObject([{ code: 'backend_absent' }]);
  expect(opened(backends(false)).lintPersona({ ref: 'planner-codex' }).findings).toMatchObject([
    { code: 'backend_absent' },
  ]);
  expect(opened(backends(true)).lintPersona({ ref: 'planner-codex' }).findings).toEqual([]);
});

test('compares a file with what is loaded', () => {
  write(1, QUICK);
  const text = QUICK.replace('risk: medium', 'risk: high');
  expect(opened().diffTemplates({ ref: 'mine' }, { text }).changes).toEqual([
    { change: 'changed', of: 'phase', id: 'implement', field: 'risk', from: 'medium', to: 'high' },
  ]);
  expect(() => opened().diffTemplates({ ref: 'mine' }, { text: 'name: [', file: 'b.yaml' })).toThrow(
    expect.objectContaining({
      code: 'template_invalid',
      message: expect.stringMatching(/^b\.yaml:1:\d+: this is not YAML/),
    }),
  );
});

test('a text that is too large is not compared', () => {
  const { diffTemplates } = opened();
  expect(() => diffTemplates({ text: QUICK }, { text: '{a,'.repeat(50_000) })).toThrow(
    expect.objectContaining({ code: 'template_invalid', message: expect.stringContaining('more than 16000 words') }),
  );
});
