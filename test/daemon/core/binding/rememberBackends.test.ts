import { expect, test } from 'vitest';
import type { BindingRequest, PersonaEntry } from '../../../../daemon/core/binding/binding.ts';
import { rememberBackends } from '../../../../daemon/core/binding/rememberBackends.ts';
import { Persona, personaHash } from '../../../../schemas/definitions/persona.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import type { Backend } from '../../../../schemas/enums.ts';
import { everyBackend } from '../../../helpers/everyBackend.ts';

function persona(name: string, backend: Backend, allowedRoles?: string[]): PersonaEntry {
  const parsed = Persona.parse({
    name,
    version: 1,
    backend,
    capabilities: ['code_edit'],
    maxRiskLevel: 'low',
    allowedRoles,
  });
  return { id: name, persona: parsed, hash: personaHash(parsed) };
}

const role = (id: string, more = {}) => ({
  id,
  requiredCapabilities: ['code_edit'],
  preferredBackends: ['claude', 'codex', 'gemini'],
  ...more,
});
const template = (...roles: object[]) =>
  Template.parse({
    name: 't',
    version: 1,
    roles,
    phases: [
      {
        key: 'code',
        title: 'Code',
        risk: 'low',
        roles: roles.map((each) => (each as { id: string }).id),
        expectedArtifact: { path: 'a.json', schema: 'x/y@1' },
        instructions: 'Do it.',
      },
    ],
  });
const on = { enabled: true, available: true };
const off = { enabled: true, available: false, reason: 'no program named codex is on PATH' };

function ask(last: [string, Backend][], more: Partial<BindingRequest> = {}) {
  const request: BindingRequest = {
    runId: 'run',
    templateHash: 'h',
    template: template(role('planner'), role('coder')),
    personas: [persona('a', 'claude'), persona('b', 'codex'), persona('c', 'gemini')],
    backends: { ...everyBackend(off), codex: on, claude: on, gemini: on, fake: on },
    overrides: {},
    ...more,
  };
  const known = last.map(([roleId, backend]) => ({ roleId, backend, runId: `run of ${roleId}` }));
  const { remembered, unusable } = rememberBackends(request, known);
  return {
    remembered: remembered.map(({ roleId, backend }) => `${roleId}=${backend}`),
    unusable: unusable.map(({ roleId, backend, reason }) => `${roleId}=${backend}: ${reason}`),
  };
}

const nothing = { remembered: [], unusable: [] };

test('remembers a backend that devflow would not choose itself', () => {
  const last: [string, Backend][] = [
    ['planner', 'claude'],
    ['coder', 'gemini'],
  ];
  expect(ask(last)).toEqual({ remembered: ['coder=gemini'], unusable: [] });
});

test('never remembers fake', () => {
  expect(ask([['coder', 'fake']], { personas: [persona('a', 'claude'), persona('f', 'fake')] })).toEqual(nothing);
  const alone = { ...everyBackend(off), fake: on };
  expect(ask([['coder', 'fake']], { backends: alone })).toEqual(nothing);
});

test('leaves a role alone that the request names, and one that the template does not have', () => {
  expect(ask([['coder', 'gemini']], { overrides: { coder: { backend: 'codex' } } })).toEqual(nothing);
  expect(ask([['coder', 'gemini']], { overrides: { coder: { persona: 'a' } } })).toEqual(nothing);
  expect(ask([['reviewer', 'gemini']])).toEqual(nothing);
});

test('says which backend is no longer available', () => {
  const backends = { ...everyBackend(off), claude: on, gemini: on };
  expect(ask([['coder', 'codex']], { backends })).toEqual({
    remembered: [],
    unusable: ['coder=codex: backend codex is not available: no program named codex is on PATH'],
  });
});

test('says where no persona of that backend may play the role', () => {
  const personas = [persona('a', 'claude'), persona('c', 'gemini', ['planner'])];
  expect(ask([['coder', 'gemini']], { personas })).toEqual({
    remembered: [],
    unusable: ['coder=gemini: no persona on gemini may play coder'],
  });
});

test('keeps the backends where nothing that devflow prefers is available', () => {
  const backends = { ...everyBackend(off), gemini: on };
  const roles = template(
    role('planner', { preferredBackends: ['claude'] }),
    role('coder', { preferredBackends: ['claude'] }),
  );
  const last: [string, Backend][] = [
    ['planner', 'gemini'],
    ['coder', 'gemini'],
  ];
  expect(ask(last, { backends, template: roles })).toEqual({
    remembered: ['planner=gemini', 'coder=gemini'],
    unusable: [],
  });
});

test('drops all if they cannot be combined', () => {
  const pair = template(role('coder', { count: 2, diversity: { requireDifferentBackends: true } }));
  const last: [string, Backend][] = [
    ['coder#0', 'gemini'],
    ['coder#1', 'gemini'],
  ];
  const { remembered, unusable } = ask(last, { template: pair });
  expect(remembered).toEqual([]);
  expect(unusable).toHaveLength(2);
});
