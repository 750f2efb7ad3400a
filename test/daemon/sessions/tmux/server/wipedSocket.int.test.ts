import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statFields } from '../../../../../tmux/process/processes.ts';
import { readProc } from '../../../../../tmux/process/readProc.ts';
import { runSpawned, spawnRunner } from '../../../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../../../tmux/server/startServer.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();

/** Collected or not. */
const hasEnded = (pid: unknown) => /^([ZX]|$)/.test(statFields(readProc(`${pid}/stat`))[0] ?? '');

/** An agent that took a prompt. Then the directory with the socket of its tmux server was removed, and its daemon ended. */
async function wiped() {
  const session = await given();
  const { adapter, input, envelope, server, tmux, agents } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope());
  const { pid: serverPid } = await readIdentity(spawnRunner(server));
  await adapter.release(handle);
  await agents.close();
  rmSync(join(tmux.home, `tmux-${process.getuid?.()}`), { recursive: true });
  return { ...session, handle, serverPid };
}

it('adopts an agent whose tmux server lost its socket', async () => {
  const { next, input, envelope, handle, journal, events } = await wiped();
  const adapter = next();
  const adopted = await adapter.start({ ...input, adoptOnly: true });
  expect(adopted.pid).toBe(handle.pid);
  await adapter.sendPrompt(adopted, envelope({ attempt: 2 }));
  expect(await journal()).toHaveLength(2);
  expect(await events('started')).toHaveLength(1);
});

it('resumes an agent whose tmux server was replaced, and leaves nothing of the old one', async () => {
  const { next, input, envelope, handle, serverPid, server, journal } = await wiped();
  // As a person does who finds no server.
  await runSpawned(server, [['start-server']], { starting: true, idempotent: true });
  const adapter = next();
  await expect(adapter.start({ ...input, adoptOnly: true })).rejects.toMatchObject({
    code: 'pane_briefly_unresponsive',
  });
  const resumed = await adapter.start(input);
  expect(resumed.pid).not.toBe(handle.pid);
  await adapter.sendPrompt(resumed, envelope({ attempt: 2 }));
  expect(await journal()).toHaveLength(2);
  await until('the old server and agent have ended', () => hasEnded(serverPid) && hasEnded(handle.pid));
});

it('makes the socket again that others need to attach, while the connection goes on', async () => {
  const { adapter, input, envelope, server } = await given();
  const handle = await adapter.start(input);
  const { socketPath } = await readIdentity(spawnRunner(server));
  rmSync(socketPath);
  expect(await adapter.attachPoint(input.sessionId)).toMatchObject({ socket: socketPath });
  expect(existsSync(socketPath)).toBe(true);
  await adapter.sendPrompt(handle, envelope());
});
