import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSetupTries } from '../../../../daemon/api/repositories/initRepository.ts';
import { trySandbox } from '../../../../daemon/sandbox/trySandbox.ts';
import { createRepositorySettings } from '../../../../daemon/settings/repositorySettings.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { findDefinition } from '../../../../schemas/definitions/findDefinition.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { SandboxWish } from '../../../../schemas/sandbox.ts';
import { noSandboxBecause } from '../../../helpers/canSandbox.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';

/** A repository whose only check writes outside of its worktree, and what a try of it says. */
function given(level: string, sandboxHere = (wish: SandboxWish) => trySandbox(wish, process.env)) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-init-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'thing'), isolatedEnv(join(root, 'home')));
  const outside = join(root, 'outside');
  const [configDir, stateDir] = [join(root, 'config'), join(root, 'state')];
  mkdirSync(join(configDir, 'repositories'), { recursive: true });
  const verify = [['sh', '-c', `echo here > inside && echo out > '${outside}'`]];
  writeFileSync(join(configDir, 'repositories', 'thing.yaml'), JSON.stringify({ verify, sandbox: level }));
  const settings = createRepositorySettings({
    config: { defaults: { backends: {} }, gates: { auto: [] } },
    paths: { configDir, stateDir, configFile: join(configDir, 'config.yaml') },
    clock: systemClock,
    searchPath: '',
    findTemplate: async (ref) => findDefinition<never>([], ref, 'template'),
  });
  const config = {
    git: { filters: [] },
    recovery: { commandTimeoutMs: 60_000 },
    workspaceRoot: join(root, 'workspaces'),
  } as unknown as Parameters<typeof createSetupTries>[0]['config'];
  const tries = createSetupTries({ settings, config, trySandbox: sandboxHere, now: () => new Date() });
  const peer = { hold() {}, release() {} } as unknown as Parameters<typeof tries.initRepository>[1]['peer'];
  const init = async () =>
    tries.initRepository({ repo: repo.dir, write: false, try: true }, { peer } as Parameters<
      typeof tries.initRepository
    >[1]);
  return { init, outside };
}

test('a try writes outside of its worktree only where commands of a run could', async (context) => {
  const { init, outside } = given('agents');
  expect(await init()).toMatchObject({ tried: { setUp: true, checks: [{ ok: true }] } });
  expect(existsSync(outside)).toBe(true);
  if (noSandboxBecause !== undefined) return context.skip(noSandboxBecause);
  const walled = given('all');
  // It may write there, into directories of the sandbox's own.
  expect(await walled.init()).toMatchObject({ tried: { setUp: true } });
  expect(existsSync(walled.outside)).toBe(false);
});

test('without the sandbox that the person wants, nothing is tried', async () => {
  const { init, outside } = given('all', async () => {
    throw new DevflowError('sandbox_unavailable', 'There is no bubblewrap.');
  });
  await expect(init()).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  expect(existsSync(outside)).toBe(false);
});
