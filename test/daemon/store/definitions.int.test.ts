import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { runBindings, runs } from '../../../daemon/db/schema/index.ts';
import { createDefinitions } from '../../../daemon/store/definitions.ts';
import { type Definitions as LoadedDefinitions, loadDefinitions } from '../../../schemas/definitions/definitions.ts';
import { personaHash } from '../../../schemas/definitions/persona.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();
const schemas = join(packageRoot(), 'schemas');
const builtin = loadDefinitions({
  builtin: { templates: join(schemas, 'templates'), personas: join(schemas, 'personas') },
  schemas: createRegistry({ builtinDir: join(schemas, 'artifacts') }),
});

const without = (loaded: LoadedDefinitions, gone: string): LoadedDefinitions => ({
  templates: loaded.templates.filter(({ name }) => name !== gone),
  personas: loaded.personas.filter(({ name }) => name !== gone),
  errors: [],
});

/** Two templates, however many are published. */
const files: LoadedDefinitions = {
  ...builtin,
  templates: builtin.templates.filter(
    ({ name, version }) => version === 1 && ['development', 'quick-change'].includes(name),
  ),
};

/** The same files, of which one template has a second version. */
function withSecondVersion(name: string): LoadedDefinitions {
  const first = files.templates.find((template) => template.name === name) as LoadedDefinitions['templates'][number];
  const second = { ...first, version: 2, hash: 'second', definition: { ...first.definition, version: 2 } };
  return { ...files, templates: [...files.templates, second] };
}

async function givenRunOf(templateName: string, personaName: string): Promise<void> {
  const definitions = createDefinitions(database().drizzle);
  const template = await seededTemplate(definitions, templateName);
  const persona = await definitions.getPersona(`${personaName}@1`);
  const [run] = await database()
    .drizzle.insert(runs)
    .values({
      templateId: template.id,
      templateHash: template.hash,
      state: 'completed',
      repoPath: '/r',
      repository: '/r/.git',
      baseBranch: 'main',
      worktreeRoot: '/w',
    })
    .returning();
  await database()
    .drizzle.insert(runBindings)
    .values({
      runId: run?.id as string,
      roleId: 'implementer',
      personaId: persona.id,
      personaHash: persona.hash,
      backend: 'fake',
      bindingHash: 'b',
    });
}

async function seededTemplate(definitions: ReturnType<typeof createDefinitions>, name: string) {
  await definitions.seed(files);
  return definitions.getTemplate(name);
}

describe('seed', () => {
  test('stores every file once, and then is one query', async () => {
    const definitions = createDefinitions(database().drizzle);
    const { added } = await definitions.seed(files);
    expect(added).toHaveLength(files.templates.length + files.personas.length);
    const query = vi.spyOn(database().pool, 'query');
    const connect = vi.spyOn(database().pool, 'connect');
    expect(await createDefinitions(database().drizzle).seed(files)).toEqual({
      added: [],
      removed: [],
      kept: [],
      inForce: files,
    });
    expect(query).toHaveBeenCalledTimes(1);
    // pg's own `pool.query` asks for one connection; a transaction would ask for another.
    expect(connect.mock.calls.length).toBeLessThanOrEqual(1);
  });

  test('refuses a changed built-in file with both hashes, and writes nothing', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(without(files, 'quick-change'));
    const changed = files.templates.map((one) => (one.name === 'development' ? { ...one, hash: 'other' } : one));
    const stored = files.templates.find(({ name }) => name === 'development');
    await expect(definitions.seed({ ...files, templates: changed })).rejects.toMatchObject({
      code: 'template_load_failed',
      message: `${stored?.file} changed after template development@1 was published: the stored hash is ${stored?.hash}, the file has other.`,
    });
    expect((await definitions.listTemplates()).map(({ name }) => name)).toEqual(['development']);
  });

  test('removes a definition without a file that no run refers to', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    expect(await definitions.seed(without(files, 'quick-change'))).toMatchObject({
      added: [],
      removed: ['quick-change@1'],
      kept: [],
    });
    await expect(definitions.getTemplate('quick-change@1')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  test('reports a changed file of the user, and keeps the stored content in force', async () => {
    const definitions = createDefinitions(database().drizzle);
    const development = files.templates.find(({ name }) => name === 'development') as LoadedDefinitions['templates'][0];
    const mine = { ...development, name: 'mine', hash: 'first', source: 'user' as const, file: '/cfg/mine@1.yaml' };
    await definitions.seed({ ...files, templates: [...files.templates, mine] });
    const changed = { ...mine, hash: 'second', definition: { ...mine.definition, phases: [] } };
    const { inForce } = await definitions.seed({ ...files, templates: [...files.templates, changed] });
    expect(inForce.templates.at(-1)).toEqual(mine);
    expect(inForce.errors).toEqual([
      {
        file: '/cfg/mine@1.yaml',
        path: 'version',
        message: 'mine@1 was published with other content, which stays in force; give yours another version',
      },
    ]);
    expect(await definitions.getTemplate('mine')).toMatchObject({ hash: 'first', published: true });
  });

  test('removes nothing with keepVanished, but marks it as unpublished', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    const seeded = await definitions.seed(without(files, 'quick-change'), { keepVanished: true });
    expect(seeded).toMatchObject({ removed: [], kept: ['quick-change@1'] });
    expect(await definitions.getTemplate('quick-change@1')).toMatchObject({ published: false });
    await expect(definitions.getTemplate('quick-change')).rejects.toMatchObject({ code: 'template_not_found' });
  });

  test('keeps a definition without a file that a run refers to, marked as unpublished', async () => {
    await givenRunOf('quick-change', 'implementer-fake');
    const definitions = createDefinitions(database().drizzle);
    const rest = without(without(files, 'quick-change'), 'implementer-fake');
    expect(await definitions.seed(rest)).toMatchObject({ kept: ['quick-change@1', 'implementer-fake@1'], removed: [] });
    expect((await definitions.listTemplates()).map(({ name }) => name)).toEqual(['development']);
    expect(await definitions.listTemplates({ unpublished: true })).toMatchObject([
      { name: 'development', published: true, source: 'built-in' },
      { name: 'quick-change', published: false },
    ]);
    expect((await definitions.listPersonas()).map(({ name }) => name)).not.toContain('implementer-fake');
    expect(await definitions.getTemplate('quick-change@1')).toMatchObject({ published: false });
    await expect(definitions.getTemplate('quick-change')).rejects.toMatchObject({ code: 'template_not_found' });
  });
});

describe('drafts', () => {
  test('are kept for their run, are no choice for others, and can be kept again after a start removed them', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    const [{ definition }] = builtin.personas as [LoadedDefinitions['personas'][number]];
    const persona = { ...definition, name: 'me-draft-1' };
    const personas = [{ id: randomUUID(), hash: personaHash(persona), persona }];
    for (const times of [1, 2]) {
      await definitions.keepDrafts({ personas });
      expect([times, (await definitions.getPersona('me-draft-1@1')).published]).toEqual([times, false]);
      expect((await definitions.listPersonas()).map(({ name }) => name)).not.toContain('me-draft-1');
      expect((await definitions.seed(files)).removed).toEqual(['me-draft-1@1']);
    }
  });
});

describe('reads', () => {
  test('resolves a name to its newest version', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(withSecondVersion('development'));
    expect(await definitions.getTemplate('development')).toMatchObject({ version: 2, template: { version: 2 } });
    expect(await definitions.getTemplate('development@1')).toMatchObject({ version: 1 });
    expect((await definitions.listTemplates()).map(({ name, version }) => `${name}@${version}`)).toEqual([
      'development@2',
      'development@1',
      'quick-change@1',
    ]);
  });

  test('reads a definition as the file defines it', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    for (const { name, definition, hash, file } of files.templates) {
      expect(await definitions.getTemplate(name)).toMatchObject({ template: definition, hash, file });
    }
    for (const { name, definition, hash } of files.personas) {
      expect(await definitions.getPersona(name)).toMatchObject({ persona: definition, hash });
    }
  });

  test('refuses an unknown name with the nearest one', async () => {
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    await expect(definitions.getTemplate('devlopment')).rejects.toThrow(
      'There is no template devlopment; the nearest is development.',
    );
    await expect(definitions.getPersona('planner-claud@1')).rejects.toMatchObject({
      code: 'persona_not_found',
      message: 'There is no persona planner-claud@1; the nearest is planner-claude@1.',
    });
  });
});

describe('runs of a definition', () => {
  test('are those with the template, or with the persona in a role', async () => {
    await givenRunOf('quick-change', 'implementer-fake');
    const definitions = createDefinitions(database().drizzle);
    await definitions.seed(files);
    const of = async (kind: 'template' | 'persona', ref: string) => {
      const { id } = kind === 'template' ? await definitions.getTemplate(ref) : await definitions.getPersona(ref);
      return (await definitions.listRunsOf(kind, id)).length;
    };
    expect(await of('template', 'quick-change')).toBe(1);
    expect(await of('persona', 'implementer-fake')).toBe(1);
    expect(await of('template', 'development')).toBe(0);
    expect(await of('persona', 'planner-fake')).toBe(0);
  });
});
