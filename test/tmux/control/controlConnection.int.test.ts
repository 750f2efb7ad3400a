import { beforeEach, expect, it } from 'vitest';
import { listClients } from '../../../tmux/clients/clients.ts';
import { ControlConnection, type ControlOptions } from '../../../tmux/control/controlConnection.ts';
import { ensureControlSession } from '../../../tmux/control/controlSession.ts';
import type { Notification } from '../../../tmux/control/notifications.ts';
import { readIdentity, startServer } from '../../../tmux/server/startServer.ts';
import { descendants, useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();
let heard: Notification[];
let closed: string[];

beforeEach(async () => {
  heard = [];
  closed = [];
  await startServer(tmux().server);
  await ensureControlSession(tmux().spawned, 'here');
});

function connect(options: Partial<ControlOptions> = {}): Promise<ControlConnection> {
  return ControlConnection.connect(tmux().server, {
    session: 'here',
    onNotification: (notification) => heard.push(notification),
    onClose: (reason) => closed.push(reason),
    ...options,
  });
}

async function clientPid(): Promise<number> {
  return (await listClients(tmux().spawned)).find((client) => client.controlMode)?.pid as number;
}

const say = (text: string) => ['display-message', '-p', text] as const;

it('answers each of many commands at once', async () => {
  const connection = await connect();
  const numbers = Array.from({ length: 500 }, (_, n) => `${n}`);
  const answers = numbers.map((n) => connection.run([say(n), say(`${n}'`)]));
  expect(await Promise.all(answers)).toEqual(numbers.map((n) => [n, `${n}'`]));
  await connection.close();
});

it('refuses with a code what tmux refuses, and continues', async () => {
  const connection = await connect();
  const outcomes = await Promise.allSettled([
    connection.run([['kill-pane', '-t', '%99']]),
    connection.run([['no-such-command', 'x']]),
    connection.run([say('1'), ['kill-session', '-t', '$99'], say('2')]),
    connection.run([['new-session', '-d', '-s', 'here']]),
    connection.run([say('still here')]),
  ]);
  expect(outcomes.map((o) => (o.status === 'rejected' ? o.reason.code : o.value))).toEqual([
    'no_target',
    'command_failed',
    'no_target',
    'duplicate_session',
    ['still here'],
  ]);
  await connection.close();
});

it("keeps a hook's output apart from an answer", async () => {
  const connection = await connect();
  await connection.run([['set-hook', '-g', 'after-list-windows', 'display-message -p hooked']]);
  expect(await connection.run([['list-windows', '-F', 'window'], say('x')])).toEqual(['window', 'x']);
  await connection.close();
});

it('ignores a pane that prints the protocol', async () => {
  const connection = await connect();
  const { pane } = await tmux().pane(connection, "printf '%%end 1 2 1\\n%%begin 1 3 1\\n%%exit\\n'; exec sleep 1000");
  const capture = () => connection.run([['capture-pane', '-p', '-t', pane]]);
  const lines = await until('it is printed', async () => {
    const screen = await capture();
    return screen[2] === '%exit' ? screen : undefined;
  });
  expect(lines.slice(0, 3)).toEqual(['%end 1 2 1', '%begin 1 3 1', '%exit']);
  await connection.close();
});

it('fails if there is nothing to attach to', async () => {
  await expect(connect({ session: 'elsewhere' })).rejects.toMatchObject({ code: 'no_target' });
  const nowhere = tmux().another('theirs');
  await expect(
    ControlConnection.connect(nowhere, { session: 'x', onNotification: () => {}, onClose: () => {} }),
  ).rejects.toMatchObject({ code: 'no_server' });
});

it('reports an unknown outcome when the connection is lost', async () => {
  const connection = await connect();
  const command = connection.run([['run-shell', 'exec tail -f /dev/null']]);
  const { pid } = await until('the command runs', () => childOf('tail'));
  process.kill(await clientPid(), 'SIGKILL');
  await expect(command).rejects.toMatchObject({ code: 'outcome_unknown' });
  process.kill(pid);
  expect(closed).toHaveLength(1);
  await expect(connection.run([say('x')])).rejects.toMatchObject({ code: 'no_server' });
});

it('is closed by the watchdog when an outstanding command gets no answer', async () => {
  const connection = await connect({ quietMs: 50 });
  const { pid } = await readIdentity(connection);
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(connection.run([say('x')])).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(connection.open).toBe(false);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

it('gives up a server that does not answer the attach', async () => {
  const { pid } = await readIdentity(tmux().spawned);
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(connect({ connectMs: 50 })).rejects.toThrow('no answer within 50 ms');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

it('times out a command, and matches the answers that follow', async () => {
  const connection = await connect();
  const slow = connection.run([['run-shell', 'exec tail -f /dev/null']], { timeoutMs: 1 });
  await expect(slow).rejects.toMatchObject({ code: 'outcome_unknown' });
  const next = connection.run([say('next')]);
  // Ends the command that holds the queue up.
  const { pid } = await until('the command runs', () => childOf('tail'));
  process.kill(pid);
  expect(await next).toEqual(['next']);
  await connection.close();
});

it('reports notifications', async () => {
  const connection = await connect();
  const { window } = await tmux().pane(tmux().spawned, 'exec sleep 1000');
  await connection.run([['rename-window', '-t', window, 'näme']]);
  const renamed = { type: 'other', line: `%unlinked-window-renamed ${window} näme` };
  await until('it is reported', () => heard.some((n) => n.type === 'other' && n.line === renamed.line));
  expect(heard).toContainEqual({ type: 'other', line: '%sessions-changed' });
  await connection.close();
  expect(closed).toHaveLength(1);
});

function childOf(name: string): { pid: number } | undefined {
  return descendants(tmux().home).find((entry) => entry.name === name);
}
