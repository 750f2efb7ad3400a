import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FLOWS } from '../../../schemas/contracts/autodev/flows.ts';
import { FLOW_NAMES } from '../../../schemas/contracts/autodev/pointer.ts';
import {
  readPersonaFile,
  readPersonaText,
  readTemplateFile,
  readTemplateText,
} from '../../../schemas/definitions/definitionFile.ts';
import { checkedDefinitions, loadDefinitions } from '../../../schemas/definitions/definitions.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { problemSentence } from '../../../schemas/definitions/yamlFile.ts';
import { Backend } from '../../../schemas/enums.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const schemas = join(packageRoot(), 'schemas');
const builtin = { templates: join(schemas, 'templates'), personas: join(schemas, 'personas') };
const registry = createRegistry({ builtinDir: join(schemas, 'artifacts') });

let home: string;
let user: { templates: string; personas: string };
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-definitions-'));
  user = { templates: join(home, 'templates'), personas: join(home, 'personas') };
  mkdirSync(user.templates);
  mkdirSync(user.personas);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function template(name: string, text: string): string {
  const file = join(user.templates, name);
  writeFileSync(file, text);
  return file;
}

const MINIMAL = `name: mine
version: 1
roles:
  - id: coder
    requiredCapabilities: [code_edit]
phases:
  - key: code
    title: Code
    risk: low
    roles: [coder]
    expectedArtifact: { path: a.json, schema: dev/implementation@1 }
    instructions: Do {{requirements}}.
`;

describe('the built-in files', () => {
  const { templates, personas, errors } = loadDefinitions({ builtin, schemas: registry });

  test('are the same from the file of the build, which a changed text is not read from', () => {
    const checked = join(home, 'checked.json');
    writeFileSync(checked, JSON.stringify(checkedDefinitions({ templates, personas })));
    const unasked = { schemaFault: () => 'asked for a schema' };
    const load = (places: typeof builtin) => loadDefinitions({ builtin: { ...places, checked }, schemas: unasked });
    expect(load(builtin)).toStrictEqual({ templates, personas, errors });
    template('mine@1.yaml', MINIMAL);
    expect(() => load(user)).toThrow('asked for a schema');
  });

  test('all load', () => {
    expect(errors).toEqual([]);
    expect(templates.map(({ name, version }) => `${name}@${version}`)).toEqual([
      'autodev-existing-code@1',
      'autodev-greenfield@1',
      'autodev-meta-repo@1',
      'backtest-strategy@1',
      'dev-cycle@1',
      'development@1',
      'development@2',
      'direct@1',
      'parallel-development@1',
      'pipeline@1',
      'quick-change@1',
      'quick-change@2',
      'review@1',
      'template-factory@1',
      'template-factory@2',
    ]);
    expect(personas.every(({ source, hash }) => source === 'built-in' && /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });

  /** Roles that personas of another name play. */
  const PERSONAS: Record<string, string> = {
    engineer: 'implementer',
    ra: 'planner',
    ep: 'planner',
    cd: 'implementer',
    vas: 'implementer',
  };

  test('every role has a persona for every backend', () => {
    for (const role of templates.flatMap(({ definition }) => definition.roles)) {
      for (const backend of Backend.options) {
        const fits = personas.filter(
          ({ definition }) =>
            definition.backend === backend &&
            (definition.allowedRoles?.includes(role.id) ?? true) &&
            role.requiredCapabilities.every((capability) => definition.capabilities.includes(capability)),
        );
        expect(fits.map(({ name }) => name)).toEqual([`${PERSONAS[role.id] ?? role.id}-${backend}`]);
      }
    }
  });

  test('development@1 is as published', () => {
    const development = templates.find(({ name }) => name === 'development');
    expect(
      development?.definition.phases.map(({ key, kind, roles, expectedArtifact, gates, commands }) => [
        key,
        kind,
        roles,
        expectedArtifact?.schema,
        gates,
        commands,
      ]),
    ).toEqual([
      ['spec', 'agent', ['planner'], 'dev/spec@1', ['spec_approved'], []],
      ['plan', 'agent', ['planner'], 'dev/phase-plan@1', ['plan_approved'], []],
      ['implement', 'agent', ['implementer'], 'dev/implementation@1', [], []],
      ['verify', 'command', [], undefined, ['changes_approved'], []],
    ]);
  });

  test('parallel-development@1 does the tasks of a graph in lanes', () => {
    const parallel = templates.find(({ name }) => name === 'parallel-development');
    expect(
      parallel?.definition.phases.map(({ key, kind, roles, expectedArtifact, gates, lanes }) => [
        key,
        kind,
        roles,
        expectedArtifact?.schema,
        gates,
        lanes,
      ]),
    ).toEqual([
      ['spec', 'agent', ['planner'], 'dev/spec@1', ['spec_approved'], undefined],
      ['plan', 'agent', ['planner'], 'dev/dag@1', ['plan_approved'], undefined],
      [
        'implement',
        'lanes',
        ['implementer', 'resolver'],
        'dev/implementation@1',
        [],
        { from: 'plan', max: 4, batch: 3, checks: 'verify' },
      ],
      ['verify', 'command', [], undefined, ['changes_approved'], undefined],
    ]);
  });

  test.each(FLOW_NAMES)(
    'AD-29 autodev-%s has the steps of its flow, with what is optional and its boundaries',
    (flow) => {
      const template = templates.find(({ name }) => name === `autodev-${flow}`)?.definition;
      const { steps, optional, boundaries } = FLOWS[flow];
      expect(template?.flow).toBe(flow);
      const said = template?.phases.map(
        ({ instructions }) => /^Step \d+ of \d+, (.*)\.$/m.exec(instructions ?? '')?.[1],
      );
      expect(said).toEqual(steps);
      const phases = template?.phases.map(({ optional: isOptional = false, sessionBoundary }) => [
        isOptional,
        sessionBoundary,
      ]);
      expect(phases).toEqual(
        steps.map((_, index) => [optional.includes(index + 1), Object.hasOwn(boundaries, String(index))]),
      );
    },
  );

  test('hash as when they were published', () => {
    expect(templates.map(({ name, version, hash }) => `${name}@${version} ${hash}`)).toEqual([
      'autodev-existing-code@1 db1fe4c5a3271266dd28f33a8272e9f598751e5c068fe9e4520fae310e3338c2',
      'autodev-greenfield@1 6a12f2af9b48f2e98d2b9e41c62765eb9513f1abb600653127634eadf8cb5909',
      'autodev-meta-repo@1 9a5c0ae397d50ecbde6cb332d37bd37bea750525f927a113b05563bd771196ba',
      'backtest-strategy@1 bf8b7db365c9effcb17857767c70b3ce8faf3eaf94dc2a9ccc635570ec312eee',
      'dev-cycle@1 5795934797e6c87d5e5f852c84cce86f2b6a7b17b23d39e53f18eccfc5423c88',
      'development@1 9d2125053ddfc895d94d33a19859ab81a1a177a7968e5d9fbbde47fea6498e2a',
      'development@2 84d65a9ca031f8f62541e432f407a504f1216c5941f945f15b46246175473481',
      'direct@1 28d207460da6a6d2a35a60a5df03a3db0686312c41ed51836b12a092b265116c',
      'parallel-development@1 07f3a4383f9036932a3717a95684e2d431c8a811045d4dd08be0a67b6a1178ef',
      'pipeline@1 312b65ea9a765dab668a196e62f4bdeb8fd2fdf5cecebe37ffefabd66dc36753',
      'quick-change@1 c51b9246f924479f54e48cd6e3dd1e8921ce3168dc4b8be41c049dde9d3e3c43',
      'quick-change@2 b76f529e530fcc9378a85aab0a0fcc066c5eba2edb9973c2e66d6446f9ec9be7',
      'review@1 f9a470fe395262f810f0203b9a99c6ee94bb1f1baaf910e27a7eee8c4be984b9',
      'template-factory@1 272289928b5a15200042e0da6dc50b25befc4dce98af25f74970cfd596324123',
      'template-factory@2 1bbf47dfc7fb28138684fba8609446ce6061387ffdc094afa5415632ba73276b',
    ]);
  });

  test('the instructions name every required field of the artifact', () => {
    const registry = createRegistry({ builtinDir: join(schemas, 'artifacts') });
    for (const phase of templates.flatMap(({ definition }) => definition.phases)) {
      // devflow writes the artifact of a step itself.
      if (!phase.expectedArtifact || phase.kind === 'step') continue;
      for (const field of registry.loadSchema(phase.expectedArtifact.schema).required as string[]) {
        expect(phase.instructions).toMatch(new RegExp(`^ *${field}(?: |: |:$)`, 'm'));
      }
    }
  });
});

describe('one file', () => {
  test('a good one', () => {
    const result = readTemplateFile(template('mine@1.yaml', MINIMAL), registry);
    expect(result).toMatchObject({ ok: true, value: { name: 'mine', version: 1 } });
  });

  test('comments and order of keys do not change the hash; content does', () => {
    const hash = (text: string) => {
      const result = readTemplateFile(template('mine@1.yaml', text), registry);
      return result.ok ? result.value.hash : undefined;
    };
    const first = hash(MINIMAL);
    expect(hash(`# mine\nversion: 1\nname: mine\n${MINIMAL.split('\n').slice(2).join('\n')}`)).toBe(first);
    expect(hash(MINIMAL.replace('risk: low', 'risk: high'))).not.toBe(first);
  });

  test.each([
    ['other@1.yaml', MINIMAL, '.yaml: name: the file holds mine@1, so it must be named mine@1.yaml'],
    ['mine@1.yml', MINIMAL, '.yml: name: the file holds mine@1, so it must be named mine@1.yaml'],
    [
      'mine@1.yaml',
      MINIMAL.replace('risk:', 'rsik:'),
      ':9:5: phases.0.rsik: unknown key rsik; the nearest known one is risk',
    ],
    ['mine@1.yaml', MINIMAL.replace('[coder]', '[cook]'), ':10:5: phases.0.roles: role cook is not declared in roles'],
    [
      'mine@1.yaml',
      MINIMAL.replace('requirements}', 'artifact:x}'),
      ':12:22: phases.0.instructions: {{artifact:x}} names no',
    ],
    ['mine@1.yaml', 'name: [\n', ':2:1: this is not YAML'],
    ['mine@1.yaml', '', 'mine@1.yaml: '],
  ])('%s: what is wrong, with its line (%#)', (name, text, sentence) => {
    const result = readTemplateFile(template(name, text), registry);
    if (result.ok) throw new Error('it was taken');
    expect(result.problems.map(problemSentence).join('\n')).toContain(sentence);
  });

  test('a text needs no file name', () => {
    expect(readTemplateText(MINIMAL, registry)).toMatchObject({ ok: true, value: { name: 'mine', file: 'template' } });
    expect(readPersonaText('name: x')).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ file: 'persona', path: 'backend' })]),
    });
  });

  test('reports a missing file as a problem, without an exception', () => {
    expect(readPersonaFile(join(home, 'nobody@1.yaml'))).toMatchObject({ ok: false });
  });
});

describe('the user directory', () => {
  const load = () => loadDefinitions({ builtin, user, schemas: registry });

  test('adds to the built-in ones', () => {
    template('mine@1.yaml', MINIMAL);
    const { templates, errors } = load();
    expect(errors).toEqual([]);
    expect(templates.find(({ name }) => name === 'mine')).toMatchObject({ source: 'user' });
  });

  test('a broken file is reported and skipped', () => {
    template('mine@1.yaml', MINIMAL);
    template('bad@1.yaml', 'name: bad\n');
    const { templates, errors } = load();
    expect(templates.map(({ name }) => name)).toContain('mine');
    expect(errors.every(({ file }) => file === join(user.templates, 'bad@1.yaml'))).toBe(true);
    expect(errors.length).toBeGreaterThan(0);
  });

  test('a copy of a built-in file is harmless, a changed copy is an error', () => {
    const copy = join(user.personas, 'planner-fake@1.yaml');
    copyFileSync(join(builtin.personas, 'planner-fake@1.yaml'), copy);
    expect(load().errors).toEqual([]);
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('maxRiskLevel: medium', 'maxRiskLevel: high'));
    const { personas, errors } = load();
    expect(errors).toMatchObject([{ file: copy, message: expect.stringContaining('planner-fake@1 is built in') }]);
    expect(personas.filter(({ name }) => name === 'planner-fake')).toMatchObject([{ source: 'built-in' }]);
  });

  test('an unknown artifact schema is an error that names the nearest', () => {
    template('mine@1.yaml', MINIMAL.replace('dev/implementation@1', 'dev/implementaton@1'));
    expect(load().errors).toMatchObject([
      { message: expect.stringContaining('the nearest known one is dev/implementation@1') },
    ]);
  });

  test('a broken built-in file is fatal', () => {
    template('bad@1.yaml', 'name: bad\n');
    expect(() => loadDefinitions({ builtin: user, schemas: registry })).toThrow(
      expect.objectContaining({ code: 'template_load_failed' }),
    );
  });
});
