import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DeliveryPoint } from '../../../../../daemon/sessions/tmux/deliver/delivery.ts';
import { listPanes } from '../../../../../tmux/panes/panes.ts';
import { spawnRunner } from '../../../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../../../tmux/server/startServer.ts';
import { type ScriptedSession, useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();

const serverPid = async ({ server }: ScriptedSession) => (await readIdentity(spawnRunner(server))).pid;

describe('a prompt during which the tmux server is killed', () => {
  it.each<DeliveryPoint>(['queued', 'pasting', 'pasted', 'entering'])(
    'at %s is sent again once the agent is back',
    async (point) => {
      let kill: (() => void) | undefined;
      const session = await given({ at: (reached) => reached === point && kill?.() });
      const { adapter, input, envelope } = session;
      const handle = await adapter.start(input);
      const exits: string[] = [];
      adapter.onExit(handle, ({ reason }) => exits.push(reason));
      const pid = await serverPid(session);
      kill = () => process.kill(pid, 'SIGKILL');
      await expect(adapter.sendPrompt(handle, envelope())).rejects.toMatchObject({ code: 'prompt_send_transient' });
      kill = undefined;
      await until('its end is told', () => exits.length > 0);
      await adapter.resume(handle);
      await adapter.sendPrompt(handle, envelope());
      expect(await session.journal()).toMatchObject([{ merged: false, dedupKeys: [envelope().dedupKey] }]);
    },
  );
});

it.each([0, 1, 3, 6, 10, 20])(
  'an agent that is let go %i ms after its start began does not start after all',
  async (ms) => {
    const session = await given({ scripted: 'trust' });
    const { adapter, input, server } = session;
    const starting = adapter.start(input);
    const refused = expect(starting).rejects.toMatchObject({ code: 'shutting_down' });
    await pause(ms);
    await adapter.dispose(input);
    await refused;
    const left = await listPanes(spawnRunner(server)).catch(() => []);
    expect(left.filter(({ sessionName, dead }) => sessionName.startsWith('devflow-') && !dead)).toEqual([]);
  },
);

it('a tmux server that does not answer for a while is no death of its agents', async () => {
  const session = await given();
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  const exits: string[] = [];
  adapter.onExit(handle, ({ reason }) => exits.push(reason));
  const pid = await serverPid(session);
  process.kill(pid, 'SIGSTOP');
  try {
    // Only one who waits for an answer notices: twice the watchdog's five seconds, and ten for a tmux of its own.
    await adapter.probe(handle);
    await pause(15_000);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await adapter.sendPrompt(handle, envelope());
  expect(exits).toEqual([]);
}, 90_000);

it('an agent taken over while it asks before it is ready has not started before that is answered', async () => {
  const session = await given({ scripted: 'trust' });
  const { adapter, input } = session;
  const first = adapter.start(input).catch(() => {});
  await session.happened('dialog-opened');
  await adapter.release(input);
  await first;
  const next = session.next();
  let isStarted = false;
  const starting = next.start(input).then(() => {
    isStarted = true;
  });
  await pause(500);
  expect(isStarted).toBe(false);
  await session.press('Enter');
  await session.type('1');
  await starting;
});

it('a prompt for an agent that hangs is given up, and the agent started anew', async () => {
  const session = await given({ maxHungMs: 1000 });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: hang' }));
  await expect(adapter.sendPrompt(handle, envelope({ attempt: 2 }))).rejects.toMatchObject({
    code: 'prompt_send_transient',
    message: expect.stringContaining('hangs'),
  });
  await adapter.resume(handle);
  await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
  expect((await session.journal()).map(({ merged }) => merged)).toEqual([false, false]);
});
