import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Run } from '../../../daemon/core/run/state.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { createTmuxNotices } from '../../../daemon/statusLine/notices.ts';
import { runSpawned } from '../../../tmux/server/spawnRunner.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';
import { bound, firstPhaseDone, given } from '../core/support/given.ts';

const test = useTmuxServer();

const atGate = given({}, ...firstPhaseDone).run;
const working = given({}, bound).run;
const HOSTILE = `#{pid} #[fg=red]#S %H $(id) '; kill-server`;
const NOTICE = { title: 'devflow: repo 3f9a1c2d', text: `waits at ${HOSTILE}` };
const SAID = `${NOTICE.title}: ${NOTICE.text}`;

/** A person's server with the plugin, and terminals that attach to it. */
async function givenPerson(mode: 'off' | 'message' | 'bell') {
  const server = test().another('own');
  const tmux = async (...args: [string, ...string[]]) =>
    (await runSpawned(server, [args], { starting: true })).join('\n');
  await tmux('new-session', '-d', '-s', 'work', '-x', '160', '-y', '20', 'exec sleep 2147483647');
  await tmux('set-option', '-g', '@devflow_loaded', '1');
  const socket = await tmux('display-message', '-p', '#{socket_path}');
  const directory = join(test().home, 'tmux-servers');
  mkdirSync(directory);
  writeFileSync(join(directory, 'one'), `socket ${socket}\ncharset utf-8\n`);

  const bus = createBus();
  const state = { runs: [atGate] as Run[] };
  const log = { warn: vi.fn() };
  const notices = createTmuxNotices({
    config: { tmux: {}, notify: { tmux: mode } },
    paths: { tmuxServers: directory },
    bus,
    log,
    openRuns: () => state.runs,
    queuedRuns: () => new Map(),
  });
  onTestFinished(async () => {
    await notices.close();
    expect(log.warn).not.toHaveBeenCalled();
  });
  const outer = test().another('own');
  const look = async (...args: [string, ...string[]]) =>
    (await runSpawned(outer, [args], { starting: true })).join('\n');
  return {
    tmux,
    notices,
    hooks: () => tmux('show-hooks', '-g'),
    now(...runs: Run[]) {
      state.runs = runs;
      bus.publish({ runId: atGate.id, events: [{} as never], changes: { phases: [], approvals: [], sessions: [] } });
    },
    async terminal(name: string) {
      const before = (await tmux('list-clients')).length;
      await look(
        'new-session',
        '-d',
        '-s',
        name,
        '-x',
        '160',
        '-y',
        '20',
        `unset TMUX; exec tmux -S ${socket} attach -t work`,
      );
      await until('it is attached', async () => (await tmux('list-clients')).length > before);
      return {
        screen: () => look('capture-pane', '-p', '-t', `=${name}:`),
        rang: async () => (await look('display-message', '-p', '-t', `=${name}:`, '#{window_bell_flag}')) === '1',
      };
    },
  };
}

it('shows a message verbatim on every terminal without taking the focus', async () => {
  const { notices, terminal, tmux, hooks } = await givenPerson('message');
  const [one, two] = [await terminal('one'), await terminal('two')];
  const before = [await tmux('list-panes', '-aF', '#{pane_id} #{pane_active} #{pane_in_mode}'), await hooks()];
  notices.tell?.(NOTICE);
  for (const each of [one, two]) await until('it is shown', async () => (await each.screen()).includes(SAID));
  expect([await tmux('list-panes', '-aF', '#{pane_id} #{pane_active} #{pane_in_mode}'), await hooks()]).toEqual(before);
  expect(await one.rang()).toBe(false);
});

it("rings the terminal's bell unless the person wants visual bells or none", async () => {
  const { notices, terminal, tmux } = await givenPerson('bell');
  const one = await terminal('one');
  await tmux('set-option', '-g', 'bell-action', 'none');
  await tmux('set-option', '-g', 'visual-bell', 'on');
  notices.tell?.(NOTICE);
  await until('it is shown', async () => (await one.screen()).includes(SAID));
  expect(await one.rang()).toBe(false);
  await tmux('set-option', '-g', 'visual-bell', 'off');
  await tmux('set-option', '-g', 'bell-action', 'any');
  notices.tell?.(NOTICE);
  await until('it rings', one.rang);
});

it('without a client, shows the notice and the count of missed ones once to the first that attaches', async () => {
  const { notices, terminal, hooks, tmux } = await givenPerson('bell');
  const before = await hooks();
  notices.tell?.({ ...NOTICE, text: 'the first' });
  notices.tell?.(NOTICE);
  await until('it is kept', async () => (await tmux('show-options', '-gqv', '@devflow_missed')) === '2');
  const one = await terminal('one');
  await until('it is shown', async () => (await one.screen()).includes(`${SAID} (and 1 before it`));
  await until('the hook has gone', async () => (await hooks()) === before);
  const two = await terminal('two');
  expect(await two.screen()).not.toContain(NOTICE.title);
});

it('withdraws a waiting notice after the decision and when the daemon ends', async () => {
  const { notices, hooks, now } = await givenPerson('message');
  const before = await hooks();
  const kept = async () => (await hooks()) !== before;
  notices.tell?.(NOTICE);
  await until('it is kept', kept);
  now(atGate);
  now(working);
  await until('it is taken back', async () => !(await kept()));
  notices.tell?.(NOTICE);
  await until('it is kept', kept);
  await notices.close();
  expect(await hooks()).toBe(before);
});

it('withdraws a notice that tmux was still taking when somebody decided', async () => {
  const { notices, hooks, now, tmux } = await givenPerson('message');
  notices.tell?.({ ...NOTICE, text: 'the first' });
  now(working);
  notices.tell?.({ ...NOTICE, text: 'the second' });
  await until('the second is kept', async () => (await hooks()).includes('the second'));
  expect(await tmux('show-options', '-gqv', '@devflow_missed')).toBe('1');
});

it('shows nothing by default', async () => {
  const { notices } = await givenPerson('off');
  expect(notices.tell).toBeUndefined();
});
