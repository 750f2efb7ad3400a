import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { placeOf } from '../../../../daemon/core/run/lanes.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { recallSecrets } from '../../../../daemon/engine/performers/recallSecrets.ts';
import { tearDownPlace } from '../../../../daemon/engine/performers/tearDownPlace.ts';
import { coverKnown, knowSecrets } from '../../../../daemon/sessions/transcript/knownSecrets.ts';
import { begin, givenRepo, mainOf, setUp, shell } from './support/settingUp.ts';

const SECRET = 'tok-9f8e7d6c5b4a';
const cover = (text: string) => coverKnown(text, () => '•••');
const logged = () => ({ warn: vi.fn() });
const tornDown = async (run: Run, log = logged()) => {
  await tearDownPlace(run, { ...placeOf(run, 'main'), name: 'main' }, log);
  return log;
};

/** A worktree that is set up, and whose teardown leaves its words in a file outside. */
async function givenSetUp(teardown: string, { isBegun = true } = {}) {
  const { repo, where, shape } = givenRepo();
  repo.write({ '.env': `API_TOKEN=${SECRET}\n` });
  const told = join(where.workspaceRoot, 'told');
  const shaped = shape({
    copy: ['.env'],
    commands: [shell('mkdir node_modules')],
    ports: ['PORT'],
    env: { TOLD: told, MODE: 'test' },
    teardown: [[...shell(teardown).argv, '$MODE', '$DEVFLOW_LANE']],
  });
  const story = isBegun ? await setUp(begin(shaped)) : begin(shaped);
  onTestFinished(() => knowSecrets(story.run.worktreeRoot, []));
  return { story, run: story.run, told };
}

test('the commands of the teardown run in the worktree, with its variables', async () => {
  const { story, run, told } = await givenSetUp('echo "$PWD $PORT $0 $1" > "$TOLD"');
  const log = await tornDown(run);
  expect(log.warn).not.toHaveBeenCalled();
  expect(readFileSync(told, 'utf8')).toBe(`${run.worktreeRoot} ${mainOf(story).ports.PORT} test main\n`);
});

test('a teardown that fails is logged, and nothing more', async () => {
  const { run } = await givenSetUp('exit 4');
  const log = await tornDown(run);
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ argv: expect.arrayContaining(['exit 4']) }),
    'a teardown failed',
  );
});

test('a worktree whose set-up never began has none', async () => {
  const { run, told } = await givenSetUp('echo > "$TOLD"', { isBegun: false });
  await tornDown(run);
  expect(existsSync(told)).toBe(false);
});

test('secrets of files that the worktree got are masked, also by the next daemon, until the worktree goes', async () => {
  const { run } = await givenSetUp('true');
  expect(cover(`it has ${SECRET}`)).toBe('it has •••');
  // The next daemon knows nothing yet.
  knowSecrets(run.worktreeRoot, []);
  expect(cover(SECRET)).toBe(SECRET);
  await recallSecrets([run], logged());
  expect(cover(SECRET)).toBe('•••');
  await tornDown(run);
  expect(cover(SECRET)).toBe(SECRET);
});

test('a worktree that is gone has no secrets', async () => {
  const { run } = await givenSetUp('true');
  knowSecrets(run.worktreeRoot, []);
  const log = logged();
  const nowhere = {
    ...run,
    repoPath: join(run.repoPath, 'gone'),
    lanes: run.lanes.map((lane) => ({ ...lane, path: '/gone' })),
  };
  await recallSecrets([nowhere], log);
  expect(cover(SECRET)).toBe(SECRET);
  expect(log.warn).toHaveBeenCalledOnce();
});
