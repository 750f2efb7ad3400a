import { expect, it } from 'vitest';
import type { PersonaEntry } from '../../../../daemon/core/binding/candidates.ts';
import { soFar } from '../../../../daemon/core/run/soFar.ts';
import type { ContinueRequest } from '../../../../daemon/engine/local/prepareContinue.ts';
import { createPrepareContinue } from '../../../../daemon/engine/local/prepareContinue.ts';
import type { Definitions } from '../../../../daemon/store/definitions.ts';
import { templateHash } from '../../../../schemas/definitions/template.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { BACKENDS } from '../../../../schemas/names.ts';
import { shipped } from '../../core/support/continues.ts';
import { bound, done, given, type Story, stalls, started } from '../../core/support/given.ts';
import { message } from '../../core/support/messages.ts';

const CHECKS = [['npm', 'test']];
const story = (requirementsMd = 'Make it so.') =>
  given({ template: shipped('direct@1'), requirementsMd, extra: { finish: CHECKS } }, bound, started);

const ALL = ['code_edit', 'command_execute', 'code_review', 'evidence_check', 'spec_write', 'planning'] as const;

function persona(name: string, capabilities: readonly string[]): PersonaEntry {
  const facts = {
    name,
    version: 1,
    backend: 'fake',
    capabilities,
    maxRiskLevel: 'high',
    promptConfig: {},
    modelConfig: {},
  };
  // The persona that the run has bound: the tests bind one of this id to each role.
  return { id: derivedId('persona', name), hash: name, persona: facts as unknown as PersonaEntry['persona'] };
}

function prepare({ run }: Story, request: Partial<ContinueRequest> = {}, own: readonly string[] = ALL) {
  const definitions = {
    getTemplate: async (ref: string) => {
      const template = shipped(ref);
      return { id: derivedId('template', template.name), hash: templateHash(template), template };
    },
    listPersonas: async () => [persona('implementer', own), persona('reviewer', ALL)],
  } as unknown as Definitions;
  const backends = Object.fromEntries(BACKENDS.map((id) => [id, { enabled: true, available: true }])) as never;
  const lookAgain = <T>(read: () => Promise<T>) => read();
  const all = { template: 'quick-change@2', overrides: {}, ...request };
  return createPrepareContinue({ config: { backends }, definitions, lookAgain })(run, all);
}

it('binds the roles without an agent, and takes the checks of the work so far', async () => {
  const { signal, joined } = await prepare(story());
  expect(signal.bindings.map(({ roleId }) => roleId)).toEqual(['reviewer', 'verifier']);
  expect(signal.extra).toEqual({ verify: CHECKS });
  expect(signal.requirementsMd).toBeNull();
  expect(joined.phases).toHaveLength(5);
  expect((await prepare(story(), { extra: { verify: [['make']] } })).signal.extra).toEqual({ verify: [['make']] });
});

it('says what the phases are for, also in a run that began without a text', async () => {
  expect((await prepare(story(), { requirements: 'And document it.' })).signal.requirementsMd).toBe(
    'Make it so.\n\nAnd document it.',
  );
  const silent = story('');
  await expect(prepare(silent)).rejects.toMatchObject({ code: 'requirements_missing' });
  const asked = silent.on(
    stalls('implementer', 'idle'),
    message('implementer', 'm1', 'Use tabs.'),
    done('sendMessage'),
  );
  expect(soFar(asked.run, asked.run.sessions[0]?.id ?? '')).toBe('Use tabs.');
  expect((await prepare(asked)).signal.requirementsMd).toBe('Use tabs.');
});

it('leaves the agent of the run as it is, or says why it cannot go on', async () => {
  await expect(prepare(story(), { overrides: { implementer: { backend: 'codex' } } })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('implementer goes on as'),
  });
  await expect(prepare(story(), {}, ['code_edit'])).rejects.toMatchObject({
    code: 'binding_refused',
    message: expect.stringContaining('lacks command_execute'),
  });
});

it('refuses a template that cannot follow, and commands that the policy blocks', async () => {
  await expect(prepare(story(), { template: 'template-factory@2' })).rejects.toMatchObject({ code: 'usage' });
  await expect(prepare(story(), { extra: { verify: [['rm', '-rf', '/']] } })).rejects.toMatchObject({
    code: 'destructive_command_blocked',
  });
  await expect(prepare(story(), { extra: { other: [['make']] } })).rejects.toMatchObject({ code: 'usage' });
});
