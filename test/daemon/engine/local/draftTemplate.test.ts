import { expect, test } from 'vitest';
import { draftTemplate } from '../../../../daemon/engine/local/draftTemplate.ts';
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
