import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createValidators } from '../../../../daemon/api/definitions/validators.ts';
import { definitionPlaces, packagePlaces } from '../../../../daemon/definitions/places.ts';
import { loadDefinitions } from '../../../../schemas/definitions/definitions.ts';
import { personaWarnings } from '../../../../schemas/definitions/persona.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { resolvePaths } from '../../../../schemas/files/paths.ts';
import { everyBackend } from '../../../helpers/everyBackend.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-ports-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** What the daemon would load, and the verdict of the daemon and of the program without it. */
function opened(found?: Parameters<typeof createValidators>[2]) {
  const places = packagePlaces();
  const paths = resolvePaths({ DEVFLOW_HOME: home });
  const registry = createRegistry({ builtinDir: places.artifacts, userDir: paths.userArtifacts });
  const loaded = loadDefinitions(definitionPlaces(registry, places, paths));
  return { loaded, validators: createValidators(registry, () => loaded, found) };
}

interface Shape {
  name?: string;
  schema?: string;
  risk?: string;
  roles?: string;
  phaseRoles?: string;
}

function template({ name = 'mine', schema = 'dev/implementation@1', risk = 'medium', ...more }: Shape = {}): string {
  const { roles = '{ id: coder, requiredCapabilities: [code_edit] }', phaseRoles = 'coder' } = more;
  return `name: ${name}
version: 1
roles: [${roles}]
phases:
  - key: code
    title: Code
    risk: ${risk}
    roles: [${phaseRoles}]
    expectedArtifact: { path: a.json, schema: ${schema} }
    instructions: Do {{requirements}}.
`;
}

const CODER = '{ id: coder, requiredCapabilities: [code_edit] }';
const TWO_CODERS = '{ id: coder, requiredCapabilities: [code_edit], count: 2 }';
const TESTER = '{ id: tester, requiredCapabilities: [command_execute] }';
const WRITERS = '{ id: writer, requiredCapabilities: [spec_write], count: 2 }';

describe('validate and the daemon judge a template alike', () => {
  test.each<[string, Shape, RegExp | undefined]>([
    ['a sound one', {}, undefined],
    ['a schema of the user', { schema: 'own/thing@1' }, undefined],
    ['an unknown schema', { schema: 'dev/implementaton@1' }, /nearest known one is dev\/implementation@1/],
    ['a schema whose file is broken', { schema: 'own/broken@1' }, /own\/broken@1\.json cannot be used/],
    ['a schema that does not compile', { schema: 'own/senseless@1' }, /own\/senseless@1\.json cannot be used/],
    ['the name of a built-in one', { name: 'quick-change' }, /quick-change@1 is built in with other content/],
    ['two editors', { roles: TWO_CODERS }, /coder#0 and coder#1 may edit files in phase code/],
    [
      'two roles that edit',
      { roles: `${CODER}, ${TESTER}`, phaseRoles: 'coder, tester', risk: 'high' },
      /coder and tester/,
    ],
    ['an editor beside readers', { roles: `${CODER}, ${WRITERS}`, phaseRoles: 'coder, writer' }, undefined],
    ['editors whom low risk makes readers', { roles: TWO_CODERS, risk: 'low' }, undefined],
  ])('%s', async (_, shape, fault) => {
    write('artifacts/own/thing@1.json', '{"type": "object"}');
    write('artifacts/own/broken@1.json', '{');
    write('artifacts/own/senseless@1.json', '{"type": "thing"}');
    const text = template(shape);
    write(`templates/${shape.name ?? 'mine'}@1.yaml`, text);
    const { loaded, validators } = opened();
    const verdict = await validators.validateTemplate(text);
    const said = verdict.errors.map(({ message }) => message);
    expect(said).toEqual(loaded.errors.map(({ line, message }) => (line ? `line ${line}: ${message}` : message)));
    expect(loaded.templates.some(({ source }) => source === 'user')).toBe(verdict.ok);
    if (fault) expect(said).toEqual([expect.stringMatching(fault)]);
    else expect(verdict.ok).toBe(true);
  });

  test('a persona under the name of a built-in one', async () => {
    const text = 'name: planner-fake\nversion: 1\nbackend: fake\ncapabilities: []\nmaxRiskLevel: low\n';
    write('personas/planner-fake@1.yaml', text);
    const { loaded, validators } = opened();
    const [error] = loaded.errors;
    expect(error?.message).toMatch(/is built in/);
    expect(await validators.validatePersona(text)).toMatchObject({ ok: false, errors: [{ message: error?.message }] });
  });
});

describe('if the personas decide whether agents overwrite each other', () => {
  test('warns with the phase, the roles and the personas', async () => {
    const verdict = await opened().validators.validateTemplate(template({ roles: TWO_CODERS, risk: 'low' }));
    expect(verdict).toMatchObject({ ok: true, warnings: [{ path: 'phases.0.roles' }] });
    expect(verdict.warnings?.[0]?.message).toMatch(
      /^coder#0, coder#1 share one worktree in phase code; .*implementer-/,
    );
  });

  test('does not warn about readers', async () => {
    const roles = WRITERS.replace('}', ', preferredBackends: [fake] }');
    const verdict = await opened().validators.validateTemplate(template({ roles, phaseRoles: 'writer' }));
    expect(verdict.warnings).toBeUndefined();
  });
});

test('a template without a name gets a verdict without one', async () => {
  expect(await opened().validators.validateTemplate('roles: []')).toMatchObject({ ok: false, name: null, hash: null });
});

test.each([
  ['a megabyte', `name: ${'x'.repeat(1024 * 1024)}`, 'the text has 1048582 bytes, more than 262144'],
  ['50,000 keys', '{a,'.repeat(50_000), 'the text has more than 16000 words, marks and line ends'],
])('%s is refused before it is parsed', async (_, text, message) => {
  const { validators } = opened();
  const verdict = { ok: false, errors: [{ path: '', message }], name: null, version: null, hash: null };
  expect(validators.validateTemplate(text)).toEqual(verdict);
  expect(validators.validatePersona(text)).toEqual(verdict);
  expect(await validators.rehearseTemplate({ text }, [])).toMatchObject({ verdict, rehearsal: null });
});

test('warns about model settings that the backend ignores', async () => {
  const text = (backend: string, config: string) =>
    `name: mine\nversion: 1\nbackend: ${backend}\ncapabilities: []\nmaxRiskLevel: low\nmodelConfig: ${config}\n`;
  const warningsOf = async (backend: string, config: string) => {
    const verdict = await opened().validators.validatePersona(text(backend, config));
    expect(verdict.ok).toBe(true);
    return verdict.warnings;
  };
  expect(await warningsOf('claude', '{ model: opus }')).toBeUndefined();
  expect(await warningsOf('claude', '{ model: opus, temperature: 0 }')).toEqual([
    { path: 'modelConfig.temperature', message: 'has no effect: claude takes model' },
  ]);
  expect(await warningsOf('codex', '{ model: 5 }')).toEqual([
    { path: 'modelConfig.model', message: 'has no effect: it is not a text' },
  ]);
  expect(await warningsOf('fake', '{ model: x }')).toEqual([
    { path: 'modelConfig.model', message: 'has no effect: fake takes none' },
  ]);
});

test('no published persona causes a warning', () => {
  const { loaded } = opened();
  expect(loaded.personas.flatMap(({ definition }) => personaWarnings(definition))).toEqual([]);
});

describe('a rehearsal names the roles that no agent of this machine can play', () => {
  const withCodex = (available: boolean) => {
    const none = { enabled: true, available: false };
    return { ...everyBackend(none), codex: { enabled: true, available } };
  };
  test.each([
    ['nobody looked which are there', undefined, []],
    ['one is there', withCodex(true), []],
    ['none is there', withCodex(false), ['backend_absent']],
  ])('if %s', async (_, found, codes) => {
    const { rehearsal } = await opened(found).validators.rehearseTemplate({ text: template() }, []);
    expect(rehearsal?.findings.map(({ code }) => code)).toEqual(codes);
    expect(rehearsal?.ok).toBe(codes.length === 0);
  });

  test('and has nothing to say about what is no template', async () => {
    const { verdict, rehearsal } = await opened().validators.rehearseTemplate({ text: 'name: [' }, []);
    expect({ ok: verdict.ok, rehearsal }).toEqual({ ok: false, rehearsal: null });
  });
});
