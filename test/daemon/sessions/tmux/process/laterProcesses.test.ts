import { type ChildProcess, spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { runsMore } from '../../../../../daemon/sessions/tmux/process/laterProcesses.ts';
import { SESSION_DIRECTORY_VARIABLE } from '../../../../../schemas/process/agentMark.ts';

const LINUX = process.platform === 'linux';

/** A process of that session, in a group and a session of its own. */
function startAside(directory: string): ChildProcess {
  const env = { ...process.env, [SESSION_DIRECTORY_VARIABLE]: directory };
  const child = spawn('sleep', ['600'], { env, stdio: 'ignore', detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

it.runIf(LINUX).each(['/tmp/session', '/home/josé/セッション'])(
  'finds a command in the background by its mark: %s',
  async (directory) => {
    // A process that starts within two seconds after this one would count as its own.
    await expect.poll(() => performance.now(), { timeout: 5_000 }).toBeGreaterThan(2_500);
    expect(runsMore({ directory, leader: process.pid, except: 'hook.sh' })).toBe(false);
    const child = startAside(directory);
    await expect.poll(() => runsMore({ directory, leader: process.pid, except: 'hook.sh' })).toBe(true);
    expect(runsMore({ directory: `${directory}-other`, leader: process.pid, except: 'hook.sh' })).toBe(false);
    expect(runsMore({ directory, leader: process.pid, except: 'sleep' })).toBe(false);
    child.kill('SIGKILL');
    await expect.poll(() => runsMore({ directory, leader: process.pid, except: 'hook.sh' })).toBe(false);
  },
);

it.runIf(LINUX)('counts a server of its tools as its own, if it began before the first prompt', async () => {
  const directory = '/home/josé/servers';
  const session = { directory, leader: process.pid, except: 'hook.sh' };
  await expect.poll(() => performance.now(), { timeout: 5_000 }).toBeGreaterThan(2_500);
  const env = { ...process.env, [SESSION_DIRECTORY_VARIABLE]: directory };
  const server = spawn('cat', { env, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  onTestFinished(() => void server.kill('SIGKILL'));
  const later = performance.now() + 600_000;
  await expect.poll(() => runsMore(session)).toBe(true);
  expect(runsMore(session, later)).toBe(false);
  startAside(directory);
  await expect.poll(() => runsMore(session, later)).toBe(true);
});
