import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listClients } from '../../tmux/clients/clients.ts';
import { shellQuote } from '../../tmux/command/command.ts';
import type { PaneId, SessionId, WindowId } from '../../tmux/command/ids.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import { loadBuffer } from '../../tmux/panes/buffers.ts';
import { sendKeys } from '../../tmux/panes/keys.ts';
import { readPane } from '../../tmux/panes/panes.ts';
import { repipe, splitSink } from '../../tmux/panes/pipe.ts';
import { attachArgv, listSessions } from '../../tmux/panes/sessions.ts';
import { sendSigchld } from '../../tmux/process/watchPane.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { readIdentity, startServer } from '../../tmux/server/startServer.ts';
import { atLeast, pasteText, sendText } from '../helpers/tmuxActs.ts';
import { isUp, useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';

/**
 * The six sequences that end a tmux server and so every agent in it. Where it can be shown, first that a
 * scratch server of this version does die of the naive way; then that the driver's own way leaves all as it was.
 */
const tmux = useTmuxServer();

type Shown = { pane: PaneId; session: SessionId; window: WindowId };

/** A dead pane that remains. */
async function deadPane(driver: Runner, script = 'exit 0'): Promise<PaneId> {
  const { pane } = await tmux().pane(driver, script);
  await untilDead(driver, pane);
  return pane;
}

async function untilDead(driver: Runner, pane: PaneId): Promise<void> {
  const { pid } = await readIdentity(driver);
  await until('it is dead', async () => sendSigchld(pid) && (await readPane(driver, pane))?.dead);
}

/** A pane with a witness in it: the same server and the same process must be there afterwards. */
async function witness(driver: Runner): Promise<() => Promise<void>> {
  const { pane, pid } = await tmux().pane(driver, 'exec sleep 1000');
  const before = await readIdentity(tmux().spawned);
  return async () => {
    expect(await readIdentity(tmux().spawned)).toEqual(before);
    expect(await readPane(tmux().spawned, pane)).toMatchObject({ pid, dead: false });
  };
}

/** True when what was done has ended the server. */
async function died(act: () => Promise<unknown>, runner: Runner): Promise<boolean> {
  await act().catch(() => {});
  return runner.run([['display-message', '-p', 'up']]).then(
    () => false,
    () => true,
  );
}

describe('a paste into a dead pane', () => {
  it('kills a 3.3a', async () => {
    const server = tmux().another('own');
    const { version } = await startServer(server);
    if (atLeast(version, 3, 4) !== false) return;
    const runner = spawnRunner(server);
    const pane = await deadPane(runner);
    const buffer = await loadBuffer(runner, tmux().home, 'text');
    expect(await died(() => runner.run([['paste-buffer', '-b', buffer, '-t', pane]]), runner)).toBe(true);
  });

  it('is refused by the driver, like keys and a sink', async () => {
    const driver = await tmux().driver();
    const intact = await witness(driver);
    const pane = await deadPane(driver);
    for (const runner of [driver, tmux().spawned]) {
      const refused = { code: 'pane_dead' };
      await expect(pasteText(runner, tmux().home, pane, 'text')).rejects.toMatchObject(refused);
      await expect(sendKeys(runner, pane, ['Enter'])).rejects.toMatchObject(refused);
      await expect(sendText(runner, pane, 'text')).rejects.toMatchObject(refused);
      await expect(repipe(runner, pane, splitSink(tmux().home, 'x'))).rejects.toMatchObject(refused);
    }
    expect(await driver.run([['list-buffers']])).toEqual([]);
    await intact();
  });

  it('is also harmless while the panes are dying', async () => {
    const driver = await tmux().driver();
    const intact = await witness(driver);
    for (let n = 0; n < 20; n++) {
      const { pane, pid } = await tmux().pane(driver, 'exec sleep 1000');
      const pastes = Array.from({ length: 5 }, () => pasteText(driver, tmux().home, pane, 'text').catch(() => {}));
      await until('it leads a group, and is killed', () => killGroup(pid));
      await Promise.all([...pastes, sendKeys(driver, pane, ['Enter']).catch(() => {})]);
    }
    await intact();
  });
});

describe('a global window-size of manual', () => {
  it.each([
    ['session', ['new-session', '-d', '-x', '80', '-y', '24', '--', 'sleep', '1']],
    ['window', ['new-window', '-d', '--', 'sleep', '1']],
  ] as const)('kills a server at the next new %s', async (_, command) => {
    const server = tmux().another('own');
    const { version } = await startServer(server);
    if (atLeast(version, 3, 6) !== false) return;
    const runner = spawnRunner(server);
    await runner.run([['new-session', '-d', '--', 'sleep', '1000']]);
    await runner.run([['set-option', '-gw', 'window-size', 'manual']]);
    expect(await died(() => runner.run([command]), runner)).toBe(true);
  });

  it("makes the driver refuse new sessions and windows; on a user's server it works without a connection", async () => {
    const user = tmux().another('own');
    await startServer(user);
    const runner = spawnRunner(user);
    await runner.run([['new-session', '-d', '-s', 'user', '--', 'sleep', '1000']]);
    await runner.run([['set-option', '-gw', 'window-size', 'manual']]);
    const driver = await tmux().driver({ server: { ...user, owner: 'theirs' } });
    expect(driver.state).toMatchObject({ up: false, reason: expect.stringContaining('window-size') });
    await expect(tmux().pane(driver, 'exec sleep 1000')).rejects.toMatchObject({ code: 'unsafe' });
    const [session] = await listSessions(driver);
    const place = { session: session?.id as `$${number}` };
    await expect(tmux().pane(driver, 'exec sleep 1000', { place })).rejects.toMatchObject({ code: 'unsafe' });
    expect(await isUp(user)).toBe(true);
  });

  it("is overridden by an own server's configuration, which gives each window its size anyway", async () => {
    const server = tmux().another('own', ['set-option -g window-size manual']);
    const driver = await tmux().driver({ server });
    const one = await tmux().pane(driver, 'exec sleep 1000', { size: { columns: 70, rows: 20 } });
    await tmux().pane(driver, 'exec sleep 1000');
    expect(await readPane(driver, one.pane)).toMatchObject({ columns: 70, rows: 20 });
    expect(await driver.run([['show-options', '-gwv', 'window-size']])).toEqual(['latest']);
  });
});

describe('a window whose program had asked for focus events and died', () => {
  const FOCUS_REQUEST = "printf '\\033[?1004h'; read x; exit 0";

  /** By hand, without what the driver starts a program with. */
  async function nakedPane(runner: Runner) {
    const format = '#{pane_id} #{session_id} #{window_id}';
    const [row] = await runner.run([['new-session', '-d', '-P', '-F', format, '--', '/bin/sh', '-c', FOCUS_REQUEST]]);
    const [pane, session, window] = (row as string).split(' ') as [PaneId, SessionId, WindowId];
    return { pane, session, window };
  }

  /** A terminal (a pane of another server), as a person would have it. */
  async function attach(runner: Runner, server: Server, session: SessionId): Promise<void> {
    await startServer(tmux().server);
    const words = attachArgv(server, session).map(shellQuote).join(' ');
    await tmux().pane(tmux().spawned, `unset TMUX; exec ${words}`);
    await until('a terminal is attached', async () =>
      (await listClients(runner)).some((client) => !client.controlMode),
    );
  }

  /** Shows the dead pane's window and then another one. */
  async function look(runner: Runner, server: Server, { pane, session, window }: Shown): Promise<void> {
    await tmux().pane(runner, 'exec sleep 1000', { place: { session } });
    await attach(runner, server, session);
    await runner.run([['select-window', '-t', `${session}:{end}`]]);
    await sendKeys(runner, pane, ['Enter']);
    await untilDead(runner, pane);
    await runner.run([['select-window', '-t', window]]);
    await runner.run([['select-window', '-t', `${session}:{end}`]]);
    await runner.run([['display-message', '-p', 'still here']]);
  }

  /** Attaches to the dead pane, which needs no focus-events to kill a 3.3a. */
  async function attachLate(runner: Runner, server: Server, { pane, session }: Shown): Promise<void> {
    await untilDead(runner, pane);
    await attach(runner, server, session);
    await runner.run([['display-message', '-p', 'still here']]);
  }

  it('kills a 3.3a with focus-events on', async () => {
    const server = tmux().another('own');
    const { version } = await startServer(server);
    if (atLeast(version, 3, 4) !== false) return;
    const runner = spawnRunner(server);
    await runner.run([['set-option', '-s', 'focus-events', 'on']]);
    const shown = await nakedPane(runner);
    expect(await died(() => look(runner, server, shown), runner)).toBe(true);
  });

  it('kills a 3.3a at the next attach, with focus-events off too', async () => {
    const server = tmux().another('own');
    const { version } = await startServer(server);
    if (atLeast(version, 3, 4) !== false) return;
    const runner = spawnRunner(server);
    const shown = await nakedPane(runner);
    await sendKeys(runner, shown.pane, ['Enter']);
    expect(await died(() => attachLate(runner, server, shown), runner)).toBe(true);
  });

  it('may be looked at on a server of our own, and on one with focus-events on', async () => {
    const own = tmux().another('own', ['set-option -s focus-events on']);
    const driver = await tmux().driver({ server: own });
    await look(driver, own, await tmux().pane(driver, FOCUS_REQUEST));
    expect(await isUp(own)).toBe(true);

    const user = tmux().another('own');
    await startServer(user);
    const runner = spawnRunner(user);
    await runner.run([['set-option', '-s', 'focus-events', 'on']]);
    await look(runner, user, await tmux().pane(runner, FOCUS_REQUEST));
    expect(await isUp(user)).toBe(true);
  });

  it('may be attached to after its death, also if its wrapper was killed', async () => {
    const server = tmux().another('own');
    const driver = await tmux().driver({ server });
    const ended = await tmux().pane(driver, FOCUS_REQUEST);
    await sendKeys(driver, ended.pane, ['Enter']);
    await attachLate(driver, server, ended);
    expect(await isUp(server)).toBe(true);

    const killed = await tmux().pane(driver, `printf '\\033[?1004h'; echo ready; exec sleep 1000`);
    await until('it has asked', async () =>
      (await driver.run([['capture-pane', '-p', '-t', killed.pane]])).includes('ready'),
    );
    await until('its group is killed', () => killGroup(killed.pid));
    await attachLate(driver, server, killed);
    expect(await isUp(server)).toBe(true);
  });
});

describe('respawning a pane while a connection with output lags', () => {
  it('cannot happen: the connection takes no output, and nothing is respawned', async () => {
    const driver = await tmux().driver();
    const intact = await witness(driver);
    expect(await driver.run([['list-clients', '-F', '#{client_flags}']])).toEqual([expect.stringMatching(/no-output/)]);
    expect(sources()).not.toMatch(/'respawn-/);
    await intact();
  });

  it('nor does a stopped reader hold a printing pane up', async () => {
    const driver = await tmux().driver();
    const intact = await witness(driver);
    const { pid } = (await listClients(driver))[0] as { pid: number };
    process.kill(pid, 'SIGSTOP');
    const { directory } = await tmux().pane(tmux().spawned, 'head -c 20000000 /dev/zero | tr "\\0" x; echo; exit 0');
    await until('all is printed', () => readdirSync(directory).includes('status'));
    // By hand, as a caller might: not even that harms while no output is on its way to anyone.
    const { pane } = await tmux().pane(tmux().spawned, 'exec yes');
    await tmux().spawned.run([['respawn-pane', '-k', '-t', pane, '--', 'sleep', '1000']]);
    process.kill(pid, 'SIGCONT');
    await intact();
  });
});

describe('a sink that also types', () => {
  it('is never asked for', () => {
    expect(sources()).toContain("'pipe-pane', '-O'");
    expect(sources()).not.toMatch(/'-I'|-IO|-OI/);
  });

  it('is not needed: sinks come and go on dying panes without harm', async () => {
    const driver = await tmux().driver();
    const intact = await witness(driver);
    for (let n = 0; n < 20; n++) {
      const { pane, pid, directory } = await tmux().pane(driver, 'exec yes');
      const arming = [1, 2, 3].map((epoch) =>
        repipe(driver, pane, splitSink(directory, `e${n}-${epoch}`)).catch(() => {}),
      );
      await until('it leads a group, and is killed', () => killGroup(pid));
      await Promise.all(arming);
    }
    await intact();
  });
});

/** False while tmux has named the process that it is just making, and that is no leader yet. */
function killGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The driver's source, without its comments. */
function sources(): string {
  const folder = join(import.meta.dirname, '../../tmux');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n');
}
