import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { StartRequest } from '../../../../daemon/engine/local/startRequest.ts';
import { createStarter } from '../../../../daemon/engine/local/startRun.ts';
import { createRepositorySettings } from '../../../../daemon/settings/repositorySettings.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { Persona, personaHash } from '../../../../schemas/definitions/persona.ts';
import { TemplatePhase } from '../../../../schemas/definitions/phase/templatePhase.ts';
import type { Template } from '../../../../schemas/definitions/template.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';
import { TEMPLATES } from '../../core/support/templates.ts';

/** git reads the repository first, on a machine that may be busy. */

const persona = Persona.parse({
  name: 'coder',
  version: 1,
  backend: 'fake',
  capabilities: ['code_edit'],
  maxRiskLevel: 'medium',
});

/** A starter on a log in memory, and an engine that binds runs when the test says so. */
function given(fake = { enabled: true, available: true }, template: Template = TEMPLATES.withoutGate) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-start-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = isolatedEnv(join(root, 'home'));
  const open: Run[] = [];
  const bind = new Map<string, () => void>();
  const settings = createRepositorySettings({
    config: { defaults: { backends: {} }, gates: { auto: [] } },
    paths: { configDir: root, stateDir: root, configFile: join(root, 'config.yaml') },
    clock: systemClock,
    searchPath: '',
    findTemplate: async () => template,
  });
  const starter = createStarter({
    config: {
      backends: { fake },
      git: { filters: [] },
      workspaceRoot: join(root, 'ws'),
      recovery: {},
    } as never,
    here: { id: 'here', shared: false, unpinned: 'here' },
    clock: systemClock,
    runLog: {
      append: async () => {},
      listActive: async (repository: string, base: string) =>
        open
          .filter((run) => run.repository === repository && run.baseBranch === base)
          .map(({ id: runId, state, slot }) => ({ runId, state, slot })),
    } as never,
    definitions: {
      getTemplate: async () => ({ id: randomUUID(), hash: 'a', template }),
      listPersonas: async () => [{ id: 'coder', persona, hash: personaHash(persona) }],
    } as never,
    settings,
    registry: { validateArtifact: () => ({ ok: true }), schemaFault: () => undefined } as never,
    lookAgain: (read) => read(),
    ignoredFiles: () => [],
    trySandbox: async (wish) => ({ ...wish, by: 'bubblewrap 0' }),
    engine: {
      openRuns: () => open,
      readRun: async (runId: string) => open.find(({ id }) => id === runId),
      adopt(run: Run) {
        open.push(run);
        return new Promise<void>((resolve) => {
          bind.set(run.id, resolve);
        });
      },
    } as never,
    onCreated: () => {},
  });
  const request = (more: Partial<StartRequest> = {}): StartRequest => ({
    repo: makeRepo(join(root, randomUUID()), env).dir,
    template: 'any',
    requirements: 'Make it so.',
    overrides: {},
    clientToken: randomUUID(),
    ...more,
  });
  return { starter, request, open, bind, root, env, settings };
}

it('does not wait for the worktree of another run', async () => {
  const { starter, request, bind, open } = given();
  const [slow, quick] = [request(), request()];
  const waiting = starter.startRun(slow);
  await expect.poll(() => bind.has(slow.clientToken ?? '')).toBe(true);
  const started = starter.startRun(quick);
  await expect.poll(() => bind.has(quick.clientToken ?? '')).toBe(true);
  bind.get(quick.clientToken ?? '')?.();
  expect(await started).toMatchObject({ runId: quick.clientToken });
  bind.get(slow.clientToken ?? '')?.();
  expect(await waiting).toMatchObject({ runId: slow.clientToken });
  expect(open).toHaveLength(2);
});

it('refuses a preview as it refuses a start', async () => {
  const { starter, request, bind, open } = given();
  const asked = request();
  expect(await starter.preview(asked)).toMatchObject({ baseBranch: 'main' });
  const started = starter.startRun(asked);
  await expect.poll(() => bind.size).toBe(1);
  const currentRunId = open[0]?.id;
  await expect(starter.preview({ ...asked, clientToken: undefined })).rejects.toMatchObject({
    code: 'active_run_exists',
    exitCode: 5,
    data: { currentRunId, currentState: 'created' },
    message: expect.stringContaining(`There is already run ${currentRunId} (created) on branch main of `),
  });
  for (const resolve of bind.values()) resolve();
  await started;
});

it('starts one run for two concurrent requests with the same token', async () => {
  const { starter, request, bind, open } = given();
  const asked = request();
  let answered = 0;
  const both = [asked, asked].map((one) =>
    starter.startRun(one).then((answer) => {
      answered += 1;
      return answer;
    }),
  );
  const other = request();
  const third = starter.startRun(other);
  await expect.poll(() => bind.size).toBe(2);
  expect(answered).toBe(0);
  for (const resolve of bind.values()) resolve();
  await third;
  expect(await Promise.all(both)).toMatchObject([{ runId: asked.clientToken }, { runId: asked.clientToken }]);
  expect(open).toHaveLength(2);
});

it('refuses a role without a persona before it records anything', async () => {
  const { starter, request, open } = given({ enabled: true, available: false });
  const asked = request();
  await expect(starter.startRun(asked)).rejects.toMatchObject({
    code: 'backend_unavailable',
    data: { refusals: [{}] },
  });
  await expect(starter.startRun({ ...asked, overrides: { nobody: { backend: 'fake' } } })).rejects.toMatchObject({
    code: 'binding_refused',
  });
  const overrides = { implementer: { persona: 'nobody' } };
  await expect(starter.startRun({ ...asked, overrides })).rejects.toMatchObject({ code: 'persona_not_found' });
  expect(open).toEqual([]);
});

it('starts no template with commands that a file chose before a person allowed exactly these', async () => {
  const template: Template = { ...TEMPLATES.withoutGate, phases: [...TEMPLATES.withoutGate.phases] };
  const check = (argv: string[]) =>
    TemplatePhase.parse({ key: 'last', title: 'Last', kind: 'command', risk: 'low', commands: [{ argv }] });
  template.phases.push(check(['make', 'test']));
  const { starter, request, bind, open, settings } = given(undefined, template);
  const { template: _, ...asked } = request();
  const start = (more: Partial<StartRequest> = {}) => {
    const clientToken = randomUUID();
    const answer = starter.startRun({ ...asked, parallel: true, ...more, clientToken });
    const bound = expect.poll(() => bind.has(clientToken)).toBe(true);
    return Promise.race([answer, bound.then(() => bind.get(clientToken)?.()).then(() => answer)]);
  };
  const refused = { code: 'template_not_allowed', message: expect.stringContaining('in phase last run make test') };
  await expect(starter.startRun({ ...asked, clientToken: randomUUID() })).rejects.toMatchObject(refused);
  expect(open).toEqual([]);
  expect(await starter.preview(asked)).toMatchObject({
    notes: { settings: { consents: [{ part: 'template', state: 'unknown' }] }, warnings: [expect.any(String)] },
  });
  await start({ template: 'any' });
  await settings.decide({ repo: asked.repo }, 'allowed');
  await start();
  expect(open).toHaveLength(2);
  template.phases.splice(-1, 1, check(['make', 'tesT']));
  await expect(starter.startRun({ ...asked, clientToken: randomUUID() })).rejects.toMatchObject({ code: refused.code });
});

it('returns the run of a token even if its roles could no longer be bound', async () => {
  const fake = { enabled: true, available: true };
  const { starter, request, bind } = given(fake);
  const asked = request();
  const started = starter.startRun(asked);
  await expect.poll(() => bind.size).toBe(1);
  for (const resolve of bind.values()) resolve();
  await started;
  fake.available = false;
  expect(await starter.startRun(asked)).toMatchObject({ runId: asked.clientToken });
  await expect(starter.startRun({ ...asked, clientToken: randomUUID() })).rejects.toMatchObject({
    code: 'backend_unavailable',
  });
});

it('allows one open run per repository, whichever worktree or link names it, except with parallel', async () => {
  const { starter, request, bind, open, root, env } = given();
  const repo = makeRepo(join(root, 'repo'), env);
  const linked = join(root, 'linked');
  repo.git('worktree', 'add', '-q', '-b', 'other', linked);
  symlinkSync(repo.dir, join(root, 'symlink'));
  const first = request({ repo: repo.dir });
  const started = starter.startRun(first);
  await expect.poll(() => bind.size).toBe(1);
  for (const place of [linked, join(linked, 'src'), join(root, 'symlink')]) {
    await expect(starter.startRun(request({ repo: place, base: 'main' }))).rejects.toMatchObject({
      code: 'active_run_exists',
      data: { currentRunId: first.clientToken },
      message: expect.stringContaining(String(first.clientToken)),
      recoveryHint: expect.stringContaining('--parallel'),
    });
  }
  const beside = [linked, repo.dir].map((place) =>
    starter.startRun(request({ repo: place, base: 'main', parallel: true })),
  );
  const elsewhere = starter.startRun(request({ repo: linked }));
  await expect.poll(() => bind.size).toBe(4);
  expect(open.map(({ baseBranch, slot }) => `${baseBranch} ${slot}`).sort()).toEqual([
    ...['main 0', 'main 1', 'main 2', 'other 0'],
  ]);
  for (const resolve of bind.values()) resolve();
  await Promise.all([started, ...beside, elsewhere]);
});

it('finds the open run of an older version that was started in a linked worktree', async () => {
  const { starter, request, bind, open, root, env } = given();
  const repo = makeRepo(join(root, 'repo'), env);
  const linked = join(root, 'linked');
  repo.git('worktree', 'add', '-q', '-b', 'other', linked);
  const started = starter.startRun(request({ repo: linked, base: 'main' }));
  await expect.poll(() => bind.size).toBe(1);
  open[0] = { ...(open[0] as Run), repository: join(linked, '.git') };
  await expect(starter.startRun(request({ repo: repo.dir }))).rejects.toMatchObject({
    code: 'active_run_exists',
    data: { currentRunId: open[0]?.id },
  });
  for (const resolve of bind.values()) resolve();
  await started;
});

const CHECKS: Template = {
  ...TEMPLATES.withoutGate,
  phases: [TemplatePhase.parse({ key: 'finish', title: 'Check', kind: 'command', risk: 'low', gates: ['ok'] })],
};

it('starts one run at a time in a checkout, from what is checked out', async () => {
  const { starter, request, open, root, env, bind } = given(undefined, CHECKS);
  const repo = makeRepo(join(root, 'repo'), env);
  repo.git('checkout', '-qb', 'work');
  repo.write({ 'new.txt': 'x\n' });
  const asked = request({ repo: repo.dir, here: true });
  const started = starter.startRun(asked);
  await expect.poll(() => bind.size).toBe(1);
  const [run] = open;
  expect(run).toMatchObject({ here: true, worktreeRoot: repo.dir, baseBranch: 'work', setup: null });
  expect(run?.lanes).toMatchObject([{ path: repo.dir, branch: '', isCheckout: true }]);
  bind.get(run?.id ?? '')?.();
  expect((await started).warnings).toEqual([
    expect.stringContaining('1 uncommitted file is shown as work of the run, too'),
  ]);
  const refusal = { code: 'active_run_exists', data: { currentRunId: run?.id } };
  const again = request({ repo: repo.dir, here: true, parallel: true });
  await expect(starter.startRun(again)).rejects.toMatchObject(refusal);
  await expect(starter.preview(again)).rejects.toMatchObject(refusal);
});

it('refuses a run in a checkout that needs a worktree or another base', async () => {
  const { starter, request } = given();
  await expect(starter.startRun(request({ here: true }))).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('needs a worktree'),
  });
  const checks = given(undefined, CHECKS);
  await expect(checks.starter.startRun(checks.request({ here: true, base: 'main' }))).rejects.toMatchObject({
    code: 'usage',
    recoveryHint: expect.stringContaining('--base'),
  });
});
