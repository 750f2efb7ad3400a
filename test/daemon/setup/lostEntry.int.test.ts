import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openPrivateGit } from '../../../daemon/repository/privateGit/privateGit.ts';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../daemon/repository/worktree/cleanupWorktree.ts';
import { registerWorktree } from '../../../daemon/repository/worktree/restoreWorktree.ts';
import { readStatus } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { finishSetup } from '../../../daemon/setup/finishSetup.ts';
import { readSecrets } from '../../../daemon/setup/readSecrets.ts';
import { keepSetupState, readSetupState } from '../../../daemon/setup/setupState.ts';
import { rememberBefore } from '../../../daemon/setup/worktreeBefore.ts';
import { agentEnv, givenSetup } from './given.ts';

const SECRET = 'tok-9f8e7d6c5b4a';

/** A worktree that is set up. Its set-up made a directory that git does not ignore. */
async function givenSetUp() {
  const at = await givenSetup({ '.env': `API_TOKEN=${SECRET}\n` }, { 'a.ts': 'a' });
  const { privateGit } = at;
  await at.setUp({ copy: ['.env'] });
  await rememberBefore(privateGit, 's-1');
  mkdirSync(at.path('.venv'));
  writeFileSync(at.path('.venv/pyvenv.cfg'), 'x');
  await finishSetup({ privateGit, id: 's-1' });
  await keepSetupState(privateGit, { done: 'inputs' });
  const place = { ...at.place('main'), startCommit: at.base };
  return {
    ...at,
    kept: join(dirname(privateGit.path), '.kept'),
    loseEntry: () => rmSync(privateGit.entry.directory, { recursive: true }),
    register: async () => {
      await registerWorktree(place);
      return openPrivateGit(place);
    },
    add: () => addWorktree(place),
    remove: () => cleanupWorktree({ ...place, runDir: dirname(privateGit.path), laneId: 'main' }),
  };
}

test('an entry that git lost takes no exclude and no secret with it, and the worktree is set up again', async () => {
  const at = await givenSetUp();
  at.loseEntry();
  const privateGit = await at.register();
  expect((await readStatus(privateGit)).files).toEqual([]);
  const cwd = privateGit.path;
  const env = await agentEnv(privateGit);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd, env, encoding: 'utf8' })).toBe('');
  expect(await readSecrets(privateGit)).toEqual([SECRET]);
  expect(await readSetupState(privateGit)).toMatchObject({ done: null, placed: [{ path: '.env' }] });
});

test('a set-up whose entry git lost is finished as it was begun', async () => {
  const at = await givenSetUp();
  await rememberBefore(at.privateGit, 's-2');
  writeFileSync(at.path('a.ts'), 'changed');
  mkdirSync(at.path('made'));
  writeFileSync(at.path('made/file'), 'x');
  at.loseEntry();
  const privateGit = await at.register();
  expect(await finishSetup({ privateGit, id: 's-2' })).toEqual({ changed: ['a.ts'], excluded: ['made/'] });
  expect(at.text('a.ts')).toBe('a');
  expect((await readStatus(privateGit)).files).toEqual([]);
});

test('a worktree that is removed leaves nothing beside it', async () => {
  const at = await givenSetUp();
  expect(existsSync(at.kept)).toBe(true);
  await at.remove();
  expect(existsSync(at.kept)).toBe(false);
});

test('another worktree in the same place gets nothing of the former one', async () => {
  const at = await givenSetUp();
  rmSync(at.privateGit.path, { recursive: true });
  at.loseEntry();
  await at.add();
  const made = await openPrivateGit(at.place('main'));
  rmSync(made.entry.directory, { recursive: true });
  expect(await readSetupState(await at.register())).toMatchObject({ placed: [], finished: null });
});
