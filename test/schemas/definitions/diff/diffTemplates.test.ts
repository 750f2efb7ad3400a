import { expect, test } from 'vitest';
import { diffTemplates, movedKeys } from '../../../../schemas/definitions/diff/diffTemplates.ts';
import { Template } from '../../../../schemas/definitions/template.ts';

const phase = (key: string, more: Record<string, unknown> = {}) => ({
  key,
  title: key,
  kind: 'command',
  risk: 'low',
  ...more,
});
const given = (more: Record<string, unknown> = {}): Template =>
  Template.parse({
    name: 'given',
    version: 1,
    roles: [{ id: 'coder', requiredCapabilities: ['code_edit'] }],
    phases: ['a', 'b', 'c'].map((key) => phase(key)),
    ...more,
  });

test('a template and its copy under another name mean the same', () => {
  expect(diffTemplates(given(), given({ name: 'other', version: 2 }))).toEqual([]);
});

test('the order of roles means nothing', () => {
  const roles = [
    { id: 'coder', requiredCapabilities: ['code_edit'] },
    { id: 'other', requiredCapabilities: [] },
  ];
  expect(diffTemplates(given({ roles }), given({ roles: [...roles].reverse() }))).toEqual([]);
});

test('default gates are the same as gates of the phase', () => {
  const agent = phase('a', {
    kind: 'agent',
    roles: ['coder'],
    instructions: 'x',
    expectedArtifact: { path: 'a', schema: 'a/b@1' },
  });
  const before = given({ defaultGates: ['seen'], phases: [agent] });
  expect(diffTemplates(before, given({ phases: [{ ...agent, gates: ['seen'] }] }))).toEqual([]);
});

test('names what is added, removed, moved and changed', () => {
  const to = given({
    roles: [
      { id: 'coder', requiredCapabilities: ['code_edit', 'command_execute'] },
      { id: 'new', requiredCapabilities: [] },
    ],
    phases: [
      phase('c'),
      phase('a', { gates: ['seen'], timeoutMs: 60_000 }),
      phase('d', { commands: [{ argv: ['ls'] }] }),
    ],
    exchange: 'cycle',
  });
  expect(diffTemplates(given(), to)).toEqual([
    { change: 'changed', of: 'template', id: null, field: 'exchange', to: 'cycle' },
    {
      change: 'changed',
      of: 'role',
      id: 'coder',
      field: 'requiredCapabilities',
      from: ['code_edit'],
      to: ['code_edit', 'command_execute'],
    },
    { change: 'added', of: 'role', id: 'new', field: null },
    { change: 'removed', of: 'phase', id: 'b', field: null },
    { change: 'moved', of: 'phase', id: 'c', field: null, from: 'b', to: null },
    { change: 'changed', of: 'phase', id: 'a', field: 'gates', from: [], to: ['seen'] },
    { change: 'changed', of: 'phase', id: 'a', field: 'timeoutMs', to: 60_000 },
    { change: 'added', of: 'phase', id: 'd', field: null },
  ]);
});

test.each<[string, string, string]>([
  ['abc', 'abc', ''],
  ['abcd', 'dabc', 'd'],
  ['abcd', 'bcda', 'a'],
  ['abcd', 'axbd', ''],
  ['abcdef', 'cdabef', 'cd'],
])('from %s to %s, %s moved', (before, after, moved) => {
  expect(movedKeys([...before], [...after]).join('')).toBe(moved);
});
