import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BindingRequest, bindRoles, type PersonaEntry } from '../../../../daemon/core/binding/binding.ts';
import { bindingHash, Persona, personaHash } from '../../../../schemas/definitions/persona.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { Backend } from '../../../../schemas/enums.ts';
import { everyBackend } from '../../../helpers/everyBackend.ts';

function persona(name: string, backend: Backend, more: Partial<Persona> = {}): PersonaEntry {
  const parsed = Persona.parse({
    name,
    version: 1,
    backend,
    capabilities: ['code_edit'],
    maxRiskLevel: 'medium',
    ...more,
  });
  return { id: `id-${name}-${parsed.version}`, persona: parsed, hash: personaHash(parsed) };
}

function template(role: Record<string, unknown> = {}, risk = 'medium'): Template {
  return Template.parse({
    name: 't',
    version: 1,
    roles: [{ id: 'coder', requiredCapabilities: ['code_edit'], preferredBackends: ['codex', 'claude'], ...role }],
    phases: [
      {
        key: 'code',
        title: 'Code',
        risk,
        roles: ['coder'],
        expectedArtifact: { path: 'a.json', schema: 'x/y@1' },
        instructions: 'Do it.',
      },
    ],
  });
}

const on = { enabled: true, available: true };
const allOn = everyBackend(on);
const missing = (backend: Backend) => ({
  enabled: true,
  available: false,
  reason: `no program named ${backend} is on PATH`,
});

const codex = persona('c-codex', 'codex');
const claude = persona('c-claude', 'claude');
const fake = persona('c-fake', 'fake');
/** May play side by side: personas that take low risk only read. */
const readers = [
  persona('c-fake', 'fake', { maxRiskLevel: 'low' }),
  persona('c-claude', 'claude', { maxRiskLevel: 'low' }),
  persona('c-codex', 'codex', { maxRiskLevel: 'low' }),
];

const bind = (changes: Partial<BindingRequest> = {}) =>
  bindRoles({
    runId: 'run',
    template: template(),
    templateHash: 'th',
    personas: [fake, claude, codex],
    backends: allOn,
    overrides: {},
    ...changes,
  });

function chosen(changes: Partial<BindingRequest> = {}): string[] {
  const result = bind(changes);
  if (!result.ok) throw new Error(result.error.message);
  return result.bindings.map(({ roleId, personaName, personaVersion }) => `${roleId}=${personaName}@${personaVersion}`);
}

function refusal(changes: Partial<BindingRequest>) {
  const result = bind(changes);
  if (result.ok) throw new Error('it was bound');
  return {
    code: result.error.code,
    rules: result.error.refusals.map(({ rule }) => rule),
    message: result.error.message,
  };
}

describe('autoSelect', () => {
  test('takes the first preferred backend and says why', () => {
    const result = bind();
    expect(result).toMatchObject({
      ok: true,
      bindings: [
        {
          roleId: 'coder',
          role: 'coder',
          personaId: 'id-c-codex-1',
          backend: 'codex',
          override: null,
          reason: 'c-codex@1 is the first match by preference (codex, claude).',
          bindingHash: bindingHash({
            runId: 'run',
            roleId: 'coder',
            templateHash: 'th',
            personaHash: codex.hash,
            backend: 'codex',
            override: null,
          }),
        },
      ],
    });
  });

  test('then the newest version, then the name, then the hash', () => {
    const older = persona('a', 'codex');
    const newer = persona('z', 'codex', { version: 2 });
    expect(chosen({ personas: [older, newer] })).toEqual(['coder=z@2']);
    expect(chosen({ personas: [codex, older] })).toEqual(['coder=a@1']);
    const twin = { ...older, hash: '0'.repeat(64), id: 'twin' };
    expect(bind({ personas: [older, twin] })).toMatchObject({ bindings: [{ personaId: 'twin' }] });
  });

  test('uses the next preferred backend if one is missing', () => {
    const backends = { ...allOn, codex: missing('codex') };
    expect(chosen({ backends })).toEqual(['coder=c-claude@1']);
    expect(bind({ backends })).toMatchObject({
      bindings: [{ reason: expect.stringContaining('backend codex is not available: no program named codex') }],
    });
  });

  test('ignores an installed backend that the template does not prefer', () => {
    const personas = [persona('a-gemini', 'gemini'), persona('a-opencode', 'opencode'), codex, claude];
    expect(chosen({ personas })).toEqual(['coder=c-codex@1']);
    const backends = { ...allOn, codex: missing('codex'), claude: missing('claude') };
    expect(refusal({ personas, backends })).toMatchObject({ code: 'backend_unavailable' });
    expect(chosen({ personas, backends, overrides: { coder: { backend: 'gemini' } } })).toEqual(['coder=a-gemini@1']);
  });

  test('a backend that is not preferred stays out when preferred ones are only missing', () => {
    const backends = { ...allOn, codex: missing('codex'), claude: { enabled: false, available: false } };
    expect(refusal({ backends })).toEqual({
      code: 'backend_unavailable',
      rules: ['backend_available', 'backend_enabled', 'preferred_backends'],
      message:
        'Role coder cannot be bound: backend codex is not available: no program named codex is on PATH (backend_available); ' +
        'backend claude is not enabled (backend_enabled).',
    });
  });

  test('and comes in when every preferred persona fails on capability or risk', () => {
    const weak = persona('weak', 'codex', { capabilities: [] });
    const timid = persona('timid', 'claude', { maxRiskLevel: 'low' });
    expect(chosen({ personas: [weak, timid, fake] })).toEqual(['coder=c-fake@1']);
    expect(bind({ personas: [weak, timid, fake] })).toMatchObject({
      bindings: [{ reason: 'c-fake@1 is the first match; no persona on a preferred backend (codex, claude) matches.' }],
    });
  });

  test('without preferences all backends are alike', () => {
    expect(chosen({ template: template({ preferredBackends: [] }) })).toEqual(['coder=c-claude@1']);
  });

  test('names every candidate and the rule that refused it', () => {
    const personas = [
      persona('a', 'codex', { allowedRoles: ['other'] }),
      persona('b', 'claude', { capabilities: ['spec_write'] }),
      persona('c', 'fake', { maxRiskLevel: 'low' }),
    ];
    expect(refusal({ personas })).toEqual({
      code: 'no_eligible_persona',
      rules: ['allowed_roles', 'capabilities', 'risk'],
      message:
        'Role coder cannot be bound: a@1 is for other, not coder (allowed_roles); b@1 lacks code_edit (capabilities); ' +
        'c@1 accepts low risk at most, and phase code has medium risk (risk).',
    });
  });

  test('no personas at all', () => {
    expect(refusal({ personas: [] })).toEqual({
      code: 'no_eligible_persona',
      rules: [],
      message: 'Role coder cannot be bound: there are no personas.',
    });
  });

  test('counts only the risk of phases that use the role', () => {
    expect(
      chosen({ template: template({}, 'low'), personas: [persona('timid', 'codex', { maxRiskLevel: 'low' })] }),
    ).toEqual(['coder=timid@1']);
  });
});

describe('overrides', () => {
  test('a persona by name is its newest version; by name@version that one', () => {
    const personas = [claude, persona('c-claude', 'claude', { version: 2 }), codex];
    expect(chosen({ personas, overrides: { coder: { persona: 'c-claude' } } })).toEqual(['coder=c-claude@2']);
    expect(chosen({ personas, overrides: { coder: { persona: 'c-claude@1' } } })).toEqual(['coder=c-claude@1']);
    expect(bind({ overrides: { coder: { persona: 'c-fake' } } })).toMatchObject({
      bindings: [{ override: { persona: 'c-fake' }, reason: 'c-fake@1 was requested.' }],
    });
  });

  test('a backend constrains the candidates, preferred or not', () => {
    expect(chosen({ overrides: { coder: { backend: 'claude' } } })).toEqual(['coder=c-claude@1']);
    expect(chosen({ overrides: { coder: { backend: 'fake' } } })).toEqual(['coder=c-fake@1']);
  });

  test('an empty override is none', () => {
    expect(bind({ overrides: { coder: {} } })).toEqual(bind());
  });

  test.each<[string, Partial<BindingRequest>, string, string]>([
    ['an unknown role', { overrides: { cook: { persona: 'c-fake' } } }, 'binding_refused', 'override_role_unknown'],
    ['an instance of a single role', { overrides: { 'coder#0': {} } }, 'binding_refused', 'override_role_unknown'],
    [
      'an unknown persona',
      { overrides: { coder: { persona: 'nobody' } } },
      'persona_not_found',
      'override_persona_unknown',
    ],
    [
      'an unknown version',
      { overrides: { coder: { persona: 'c-fake@9' } } },
      'persona_not_found',
      'override_persona_unknown',
    ],
    [
      'a persona on another backend than asked for',
      { overrides: { coder: { persona: 'c-fake', backend: 'codex' } } },
      'binding_refused',
      'override_backend',
    ],
    [
      'a backend that is off',
      {
        overrides: { coder: { persona: 'c-codex' } },
        backends: { ...allOn, codex: { enabled: false, available: false } },
      },
      'backend_unavailable',
      'backend_enabled',
    ],
    [
      'a backend without its binary',
      { overrides: { coder: { persona: 'c-codex' } }, backends: { ...allOn, codex: missing('codex') } },
      'backend_unavailable',
      'backend_available',
    ],
    [
      'a role that the persona is not for',
      { overrides: { coder: { persona: 'x' } }, personas: [persona('x', 'fake', { allowedRoles: [] })] },
      'binding_refused',
      'allowed_roles',
    ],
    [
      'capabilities that the persona lacks',
      { overrides: { coder: { persona: 'x' } }, personas: [persona('x', 'fake', { capabilities: [] })] },
      'binding_refused',
      'capabilities',
    ],
    [
      'a risk above the limit of the persona',
      { overrides: { coder: { persona: 'x' } }, personas: [persona('x', 'fake', { maxRiskLevel: 'low' })] },
      'binding_refused',
      'risk',
    ],
  ])('refused: %s', (_, changes, code, rule) => {
    expect(refusal(changes)).toMatchObject({ code, rules: [rule] });
  });

  test('an overridden persona is never replaced by another', () => {
    const backends = { ...allOn, codex: missing('codex') };
    expect(bind({ backends, overrides: { coder: { persona: 'c-codex' } } }).ok).toBe(false);
  });

  test('a typing mistake is answered with the nearest', () => {
    expect(refusal({ overrides: { coder: { persona: 'c-clude@1' } } }).message).toContain('the nearest is c-claude@1');
    expect(refusal({ overrides: { codre: {} } }).message).toBe('t@1 has no role codre; its roles are coder.');
  });
});

describe('several instances', () => {
  const three = template({ count: 3 }, 'low');

  test('share the best persona when nothing else is asked, each with its own binding hash', () => {
    const result = bind({ template: three, personas: readers });
    if (!result.ok) throw new Error(result.error.message);
    expect(result.bindings.map(({ roleId, role }) => [roleId, role])).toEqual([
      ['coder#0', 'coder'],
      ['coder#1', 'coder'],
      ['coder#2', 'coder'],
    ]);
    expect(new Set(result.bindings.map((binding) => binding.bindingHash)).size).toBe(3);
  });

  test('an override names all, or one, which stands over all', () => {
    expect(
      chosen({
        template: three,
        personas: readers,
        overrides: { coder: { backend: 'claude' }, 'coder#1': { backend: 'fake' } },
      }),
    ).toEqual(['coder#0=c-claude@1', 'coder#1=c-fake@1', 'coder#2=c-claude@1']);
    expect(refusal({ template: three, overrides: { 'coder#3': {} } }).rules).toEqual(['override_role_unknown']);
  });
});

describe('diversity', () => {
  const diverse = (count: number, preferredBackends = ['codex', 'claude', 'fake']) =>
    template({ count, preferredBackends, diversity: { requireDifferentBackends: true } }, 'low');

  test('takes different backends in the order of preference', () => {
    expect(chosen({ template: diverse(3), personas: readers })).toEqual([
      'coder#0=c-codex@1',
      'coder#1=c-claude@1',
      'coder#2=c-fake@1',
    ]);
  });

  test('takes as many different backends as there are, if that is only preferred', () => {
    const diversity = { requireDifferentBackends: false, preferDifferentBackends: true };
    const three = template({ count: 3, preferredBackends: ['codex', 'claude'], diversity }, 'low');
    const backends = { ...allOn, fake: missing('fake') };
    expect(chosen({ template: three, personas: readers, backends })).toEqual([
      'coder#0=c-codex@1',
      'coder#1=c-claude@1',
      'coder#2=c-codex@1',
    ]);
    const overrides = { 'coder#1': { backend: 'codex' as const } };
    expect(chosen({ template: three, personas: readers, backends, overrides })).toEqual([
      'coder#0=c-codex@1',
      'coder#1=c-codex@1',
      'coder#2=c-claude@1',
    ]);
  });

  test('gives way to an override of a later instance', () => {
    expect(chosen({ template: diverse(2), personas: readers, overrides: { 'coder#1': { backend: 'codex' } } })).toEqual(
      ['coder#0=c-claude@1', 'coder#1=c-codex@1'],
    );
  });

  test('does not count for a single instance', () => {
    expect(chosen({ template: diverse(1) })).toEqual(['coder=c-codex@1']);
  });

  test('is refused when there are too few backends, and the missing ones are named', () => {
    expect(
      refusal({
        template: diverse(2),
        backends: { ...allOn, claude: missing('claude'), fake: missing('fake') },
      }),
    ).toEqual({
      code: 'no_eligible_persona',
      rules: ['diversity', ...Array(2).fill(['backend_available', 'backend_available']).flat()],
      message: expect.stringContaining('2 different backends are required, but only codex can be chosen (diversity)'),
    });
  });

  test('applies after overrides', () => {
    const changes = { template: diverse(2), overrides: { coder: { persona: 'c-fake' } } };
    expect(refusal(changes)).toMatchObject({ code: 'binding_refused', rules: ['diversity'] });
  });
});

test('an agent that may only read is refused for lanes', () => {
  const plan = { ...template().phases[0], key: 'plan', expectedArtifact: { path: 'dag.json', schema: 'dev/dag@1' } };
  const lanes = (risk: string) =>
    Template.parse({
      ...template({}, risk),
      phases: [
        { ...plan, risk, gates: ['plan_approved'] },
        { ...template({}, risk).phases[0], kind: 'lanes', instructions: 'Do {{task}}.' },
      ],
    });
  const reader = persona('reader', 'codex', { maxRiskLevel: 'low' });
  expect(refusal({ template: lanes('low'), personas: [reader] })).toMatchObject({
    code: 'binding_refused',
    rules: ['must_edit'],
    message:
      'coder must change files in phase code, and reader@1 may only read; bind a persona that has the capability code_edit and accepts medium risk.',
  });
  expect(chosen({ template: lanes('medium') })).toEqual(['coder=c-codex@1']);
});

describe('editors in one worktree', () => {
  const editing = persona('c-editor', 'codex');
  const two = template({ count: 2 }, 'low');

  test('are refused, with the phase, the roles, their personas and what to use instead', () => {
    const result = bind({ template: two, personas: [editing] });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'binding_refused',
        refusals: [
          { roleId: 'coder#0', persona: 'c-editor@1', rule: 'shared_worktree' },
          { roleId: 'coder#1', persona: 'c-editor@1', rule: 'shared_worktree' },
        ],
      },
    });
    expect(refusal({ template: two, personas: [editing] }).message).toBe(
      'coder#0 and coder#1 may edit files in phase code, share one worktree and would overwrite each other; give each editor its own phase, use a phase of kind lanes, or bind personas that only read (maxRiskLevel: low) to all but one.',
    );
  });

  test('one editor beside readers is bound', () => {
    const overrides = { 'coder#0': { persona: 'c-editor' } };
    expect(chosen({ template: two, personas: [...readers, editing], overrides })).toEqual([
      'coder#0=c-editor@1',
      'coder#1=c-codex@1',
    ]);
  });

  test('two roles of one phase are refused, and the same roles one after the other are bound', () => {
    const phase = two.phases[0] as Template['phases'][number];
    const role = { ...(two.roles[0] as Template['roles'][number]), count: 1 };
    const roles = [role, { ...role, id: 'tester' }];
    const beside = { ...two, roles, phases: [{ ...phase, roles: ['coder', 'tester'] }] };
    expect(refusal({ template: beside }).rules).toEqual(['shared_worktree', 'shared_worktree']);
    const after = { ...two, roles, phases: [phase, { ...phase, key: 'test', roles: ['tester'] }] };
    expect(chosen({ template: after })).toEqual(['coder=c-codex@1', 'tester=c-codex@1']);
  });

  test('two editors of a lanes phase are bound, because each lane has a worktree', () => {
    const role = { ...(two.roles[0] as Template['roles'][number]), count: 1 };
    const phases = two.phases.map((phase) => ({ ...phase, kind: 'lanes' as const, roles: ['coder', 'resolver'] }));
    const inLanes = { ...two, roles: [role, { ...role, id: 'resolver' }], phases };
    expect(chosen({ template: inLanes, personas: [editing] })).toEqual(['coder=c-editor@1', 'resolver=c-editor@1']);
  });
});

describe('for any personas', () => {
  const anyPersona = fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      version: fc.integer({ min: 1, max: 3 }),
      backend: fc.constantFrom(...Backend.options),
      capabilities: fc.subarray(['code_edit', 'spec_write'] as const),
      maxRiskLevel: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
      allowedRoles: fc.option(fc.subarray(['coder', 'other']), { nil: undefined }),
    })
    .map(({ name, backend, ...more }) => persona(name, backend, more));
  const anyState = fc.constantFrom(on, { enabled: true, available: false }, { enabled: false, available: false });
  const anyRequest = fc.record({
    personas: fc.uniqueArray(anyPersona, { selector: ({ id }) => id, maxLength: 8 }),
    backends: fc.record(everyBackend(anyState)),
    template: fc
      .record({
        count: fc.integer({ min: 1, max: 3 }),
        preferredBackends: fc.subarray([...Backend.options]),
        diversity: fc.record({ requireDifferentBackends: fc.boolean() }),
        risk: fc.constantFrom('low', 'medium'),
      })
      .map(({ risk, ...role }) => template(role, risk)),
    overrides: fc.constantFrom<BindingRequest['overrides']>(
      {},
      { coder: { backend: 'fake' as const } },
      { coder: { persona: 'a' } },
    ),
  });

  test('the order of personas never changes the result', () => {
    const permuted = anyRequest.chain((request) =>
      fc
        .shuffledSubarray(request.personas, { minLength: request.personas.length })
        .map((personas) => [request, { ...request, personas }] as const),
    );
    fc.assert(
      fc.property(permuted, ([one, other]) => {
        expect(bind(other)).toEqual(bind(one));
      }),
      { numRuns: 500 },
    );
  });

  test('every binding obeys every rule', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const result = bind(request);
        if (!result.ok) return;
        const role = request.template.roles[0];
        expect(result.bindings).toHaveLength(role?.count ?? 0);
        for (const { personaId, backend } of result.bindings) {
          const entry = request.personas.find(({ id }) => id === personaId)?.persona;
          expect(request.backends[backend]).toEqual(on);
          expect(entry?.capabilities).toContain('code_edit');
          if (request.template.phases[0]?.risk === 'medium') expect(entry?.maxRiskLevel).not.toBe('low');
          expect(entry?.allowedRoles ?? ['coder']).toContain('coder');
        }
        expect(result.bindings.filter(({ permissionMode }) => permissionMode !== 'read').length).toBeLessThanOrEqual(1);
        if (role?.diversity?.requireDifferentBackends) {
          expect(new Set(result.bindings.map(({ backend }) => backend)).size).toBe(result.bindings.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a draft plays a role that names it, and no other', () => {
  const draft: PersonaEntry = { ...persona('a-draft', 'codex', { version: 2 }), onlyByName: true };
  const of = (overrides: BindingRequest['overrides']) => {
    const bound = bind({ personas: [draft, codex], overrides });
    return bound.ok && bound.bindings.map(({ personaName }) => personaName);
  };
  expect([of({}), of({ coder: { persona: 'a-draft' } })]).toEqual([['c-codex'], ['a-draft']]);
});
