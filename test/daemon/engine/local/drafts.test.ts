import { expect, test } from 'vitest';
import { packagePlaces } from '../../../../daemon/definitions/places.ts';
import { broughtBy, draftTemplate, withDraftPersonas } from '../../../../daemon/engine/local/drafts.ts';
import { examplePersona } from '../../../../schemas/definitions/examples/examplePersona.ts';
import { createRegistry, extendRegistry } from '../../../../schemas/definitions/registry.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { templateText } from '../../definitions/givenConfig.ts';

const schemas = { schemaFault: () => undefined };
const draft = (title?: string) => draftTemplate(templateText('mine', title === undefined ? {} : { title }), schemas);

test('a draft meets neither what is published nor another draft of its name', () => {
  const [one, same, other] = [draft(), draft(), draft('Other')];
  expect(one).toEqual(same);
  expect(one.name).toMatch(/^mine-draft-[0-9a-f]{8}$/);
  expect(one.template).toMatchObject({ name: one.name, version: 1 });
  expect(new Set([one.id, other.id, one.hash, other.hash, one.name, other.name]).size).toBe(6);
});

test('a long name stays a name', () => {
  const { template } = draftTemplate(templateText('m'.repeat(64)), schemas);
  expect(Template.safeParse(template).success).toBe(true);
});

test('a draft with a fault is refused with its place', () => {
  const text = templateText('mine').replace('risk: low', 'risk: none');
  expect(() => draftTemplate(text, schemas)).toThrow(/^draft:10:5: phases\.0\.risk: must be one of /);
});

const registry = createRegistry({ builtinDir: packagePlaces().artifacts });
const NOTE = { schema: 'me/note@1', definition: { type: 'object', required: ['note'], properties: { note: {} } } };

test('a draft brings its schemas, and the run validates by them', () => {
  const brought = broughtBy({ draftArtifacts: [{ ...NOTE, ok: { note: 'a' } }] }, registry);
  expect(brought).toEqual({ schemas: [{ ...NOTE, ok: { note: 'a' } }], personas: [] });
  const more = extendRegistry(registry, brought?.schemas ?? []);
  expect([{ note: 'a' }, {}].map((data) => more.validateArtifact('me/note@1', data).ok)).toEqual([true, false]);
  expect([more.schemaFault('me/note@1'), more.schemaFault('dev/implementation@1')]).toEqual([undefined, undefined]);
  expect(registry.schemaFault('me/note@1')).toContain('There is no artifact schema');
});

test('what is published already is not brought again, and never with other content', () => {
  const schema = 'dev/implementation@1';
  expect(broughtBy({ draftArtifacts: [{ schema, definition: registry.loadSchema(schema) }] }, registry)).toBeNull();
  expect(() => broughtBy({ draftArtifacts: [{ ...NOTE, schema }] }, registry)).toThrow(
    'The draft cannot bring the artifact schema dev/implementation@1: it is published with other content, so give yours another version.',
  );
});

test.each([
  ['no schema', { type: 'nothing' }, /this is no usable JSON Schema/],
  ['a pattern', { type: 'string', pattern: '(a+)+$' }, /pattern is not allowed here/],
])('a schema that is %s is refused as publishing refuses it', (_, definition, message) => {
  expect(() => broughtBy({ draftArtifacts: [{ ...NOTE, definition }] }, registry)).toThrow(message);
});

test('a role gets the draft of a persona that it names, and keeps its backend', () => {
  const draftPersonas = [examplePersona('me', 'fake')];
  const brought = broughtBy({ draftPersonas }, registry);
  const [persona] = brought?.personas ?? [];
  const label = `${persona?.persona.name}@1`;
  expect(label).toMatch(/^me-draft-[0-9a-f]{8}@1$/);
  const overrides = { a: { persona: 'me' }, b: { persona: 'me@1', backend: 'fake' as const }, c: { persona: 'other' } };
  expect(withDraftPersonas({ ...overrides, d: {} }, draftPersonas)).toEqual({
    a: { persona: label },
    b: { persona: label, backend: 'fake' },
    c: { persona: 'other' },
    d: {},
  });
  expect(() => broughtBy({ draftPersonas: ['name: me'] }, registry)).toThrow(/^persona draft:/);
});
