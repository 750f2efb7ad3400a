import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { placeOf } from '../../../../daemon/core/run/lanes.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { recallSecrets } from '../../../../daemon/engine/performers/recallSecrets.ts';
import { tearDownPlace } from '../../../../daemon/engine/performers/tearDownPlace.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import { coverKnown, knowSecrets } from '../../../../daemon/sessions/transcript/knownSecrets.ts';
import { isAlive } from '../../../../schemas/process/processes.ts';
import { begin, givenRepo, mainOf, setUp, shell } from './support/settingUp.ts';

const SECRET = 'tok-9f8e7d6c5b4a';
const cover = (text: string) => coverKnown(text, () => '•••');
const logged = () => ({ warn: vi.fn() });
const tornDown = async (run: Run, log = logged()) => {
  await tearDownPlace(run, { ...placeOf(run, 'main'), name: 'main' }, log);
  return log;
};

/** A worktree that is set up, and whose teardown leaves its words in a file outside. */
async function givenSetUp(teardown: string, { isBegun = true, command = 'mkdir node_modules' } = {}) {
  const { repo, where, shape } = givenRepo();
  repo.write({ '.env': `API_TOKEN=${SECRET}\n` });
  const told = join(where.workspaceRoot, 'told');
  const shaped = shape({
    copy: ['.env'],
    commands: [shell(command)],
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

test('what the set-up left running ends after the commands of the teardown', async () => {
  const serve = `setsid sh -c 'echo $$ >"$TOLD"; exec sleep 1000' &`;
  const command = `${serve} until test -s "$TOLD"; do sleep 0.02; done`;
  const { run, told } = await givenSetUp('kill -0 "$(cat "$TOLD")"', { command });
  const pid = readFileSync(told, 'utf8').trim();
  expect(isAlive(Number(pid))).toBe(true);
  const log = await tornDown(run);
  expect(log.warn).not.toHaveBeenCalled();
  expect(isAlive(Number(pid))).toBe(false);
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

test('secrets stay masked where git lost the worktree', async () => {
  const { run } = await givenSetUp('true');
  const { entry } = await openPrivateGit(placeOf(run, 'main'));
  rmSync(entry.directory, { recursive: true });
  knowSecrets(run.worktreeRoot, []);
  await recallSecrets([run], logged());
  expect(cover(SECRET)).toBe('•••');
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
  expect(log.warn).not.toHaveBeenCalled();
});
