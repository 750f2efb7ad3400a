import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { aboutTemplate, byLastUse, SHIPPED_TEMPLATES } from '../../../schemas/definitions/shippedTemplates.ts';
import { Template, templateHash } from '../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const directory = join(packageRoot(), 'schemas', 'templates');
const files = readdirSync(directory).filter((name) => name.endsWith('.yaml'));

test('has one short sentence on each shipped template', () => {
  expect(Object.keys(SHIPPED_TEMPLATES).sort()).toEqual(files.map((name) => name.replace('.yaml', '')).sort());
  for (const sentence of Object.values(SHIPPED_TEMPLATES)) {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
  }
});

test('lists what was used last first, then your own, and the autodev templates last', () => {
  const ref = (text: string, lastUsedAt: string | null = null) => {
    const [name = '', version = ''] = text.split('@');
    return { name, version: Number(version), lastUsedAt };
  };
  const shipped = Object.keys(SHIPPED_TEMPLATES)
    .toSorted()
    .map((name) => ref(name));
  const all = [...shipped, ref('mine@1'), ref('mine@2'), ref('old@1', '2026-01-01T00:00:00.000Z')];
  const used = [...all, ref('newest@1', '2026-02-01T00:00:00.000Z')];
  const names = byLastUse(used).map(({ name, version }) => `${name}@${version}`);
  expect(names.slice(0, 5)).toEqual(['newest@1', 'old@1', 'mine@2', 'mine@1', 'quick-change@2']);
  expect(names.slice(-3).every((name) => name.startsWith('autodev-'))).toBe(true);
});

test('a template may describe itself in one line, and its hash is the old one if it does not', () => {
  const { description: _, ...plain } = Template.parse(
    parse(readFileSync(join(directory, 'quick-change@1.yaml'), 'utf8')),
  );
  expect(templateHash(Template.parse(plain))).toBe(templateHash(plain as Template));
  expect(aboutTemplate({ ...plain, name: 'mine' })).toBe(`${plain.phases.map(({ title }) => title).join(', ')}.`);
  expect(aboutTemplate({ ...plain, description: 'For us.' })).toBe('For us.');
  expect(Template.safeParse({ ...plain, description: 'two\nlines' }).success).toBe(false);
  expect(Template.safeParse({ ...plain, description: 'x'.repeat(201) }).success).toBe(false);
});
