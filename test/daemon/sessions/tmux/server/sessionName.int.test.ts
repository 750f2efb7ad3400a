import { expect, it } from 'vitest';
import { placeFor, sessionNameOf } from '../../../../../daemon/sessions/tmux/server/sessionName.ts';
import { listSessions } from '../../../../../tmux/panes/sessions.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';

const tmux = useTmuxServer();
const INPUT = {
  sessionId: '11111111-aaaa-4bbb-8ccc-222222222222',
  runId: '3f9a1c2d-0000-4000-8000-000000000000',
  roleId: 'planner',
  laneId: 'main',
  repoPath: '/home/me/my.repo',
};
const NAME = 'devflow-my_repo-planner-3f9a1c2d';

it.each([
  ['repository, role and run', {}, NAME],
  [
    'what tmux would expand, or take for a target',
    { repoPath: '/x/#{pid}:1.2 $(id)' },
    'devflow-_pid_1_2_id_-planner-3f9a1c2d',
  ],
  ['a long one', { repoPath: `/x/${'a'.repeat(200)}` }, `devflow-${'a'.repeat(24)}-planner-3f9a1c2d`],
  ['a lane', { roleId: 'coder#0', laneId: 'lane-2' }, 'devflow-my_repo-coder_0_lane-2-3f9a1c2d'],
  ['no name at all', { repoPath: '/' }, 'devflow-planner-3f9a1c2d'],
])('a session is named for a person to read: %s', (_what, change, name) => {
  expect(sessionNameOf({ ...INPUT, ...change })).toBe(name);
});

it('finds a session by its mark under any name, and leaves another of that name alone', async () => {
  const driver = await tmux().driver();
  const start = async (input: typeof INPUT) => {
    const { name, ...where } = await placeFor(driver, input);
    const { session } = await tmux().pane(driver, 'exec sleep 1000', where);
    return { name, session };
  };
  const first = await start(INPUT);
  expect(first.name).toBe(NAME);
  expect(await placeFor(driver, INPUT)).toEqual({ name: NAME, place: { session: first.session } });
  await driver.run([['rename-session', '-t', first.session, 'mine']]);
  expect(await placeFor(driver, INPUT)).toEqual({ name: 'mine', place: { session: first.session } });

  const twin = { ...INPUT, sessionId: '22222222-aaaa-4bbb-8ccc-222222222222' };
  await tmux().pane(driver, 'exec sleep 1000', { place: { newSession: NAME } });
  expect((await start(twin)).name).toBe(`${NAME}-${twin.sessionId}`);
  expect((await listSessions(driver)).map(({ name }) => name)).toContain(NAME);
});

it('recognizes a session of an older version', async () => {
  const driver = await tmux().driver();
  const name = `devflow-${INPUT.sessionId}`;
  const { session } = await tmux().pane(driver, 'exec sleep 1000', { place: { newSession: name } });
  expect(await placeFor(driver, INPUT)).toEqual({ name, place: { session } });
});
