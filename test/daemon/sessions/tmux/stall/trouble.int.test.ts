import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DeliveryPoint } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { listPanes } from '../../../../../tmux/panes/panes.ts';
import { spawnRunner } from '../../../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../../../tmux/server/startServer.ts';
import { type ScriptedSession, useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { isUp } from '../../../../helpers/tmuxServer.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();

const serverPid = async ({ server }: ScriptedSession) => (await readIdentity(spawnRunner(server))).pid;

describe('a prompt during which the tmux server is killed', () => {
  it.each<DeliveryPoint>(['queued', 'pasting', 'pasted', 'entering'])(
    'at %s is resent once the agent is back',
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
      await until('its end is reported', () => exits.length > 0);
      await adapter.resume(handle);
      await adapter.sendPrompt(handle, envelope());
      expect(await session.journal()).toMatchObject([{ merged: false, dedupKeys: [envelope().dedupKey] }]);
    },
  );
});

it.each<[string, (session: ScriptedSession) => unknown]>([
  ['at once', () => true],
  ['in the next turn', () => turn()],
  ['once its tmux server runs', async ({ server }) => until('it runs', () => isUp(server))],
  ['once it has a pane', async ({ pane }) => until('it is there', () => pane().catch(() => undefined))],
  ['once its program runs', ({ happened }) => happened('started')],
  ['once it asks', ({ happened }) => happened('dialog-opened')],
])('does not start an agent that is disposed of %s', async (_, comes) => {
  const session = await given({ scripted: 'trust' });
  const { adapter, input, server } = session;
  const starting = adapter.start(input);
  const refused = expect(starting).rejects.toMatchObject({ code: 'shutting_down' });
  await comes(session);
  await adapter.dispose(input);
  await refused;
  const left = await listPanes(spawnRunner(server)).catch(() => []);
  expect(left.filter(({ sessionName, dead }) => sessionName.startsWith('devflow-') && !dead)).toEqual([]);
});

it('reports no death while the tmux server does not answer', async () => {
  const session = await given({ quietMs: 300 });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  const exits: string[] = [];
  adapter.onExit(handle, ({ reason }) => exits.push(reason));
  const pid = await serverPid(session);
  const driver = await session.agents.open();
  process.kill(pid, 'SIGSTOP');
  // Only a pending command notices the silence.
  const probing = adapter.probe(handle);
  try {
    await until('the connection is given up', () => !driver.state.up);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await probing).toMatchObject({ alive: true });
  await adapter.sendPrompt(handle, envelope());
  expect(exits).toEqual([]);
});

it('waits for the answer of an agent adopted during its first question', async () => {
  const session = await given({ scripted: 'trust' });
  const { adapter, input } = session;
  const first = adapter.start(input).catch(() => {});
  await session.happened('dialog-opened');
  await adapter.release(input);
  await first;
  const next = session.next();
  const causes: (string | undefined)[] = [];
  next.onStall((_, stall) => causes.push(stall?.cause));
  let isStarted = false;
  const starting = next.start(input).then(() => {
    isStarted = true;
  });
  await until('the dialog is reported', () => causes.includes('dialog'));
  expect(isStarted).toBe(false);
  await session.press('Enter');
  await session.type('1');
  await starting;
});

it('fails a prompt for a hung agent, and restarts the agent', async () => {
  const session = await given({ maxHungMs: 1000 });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: hang' }));
  await expect(adapter.sendPrompt(handle, envelope({ attempt: 2 }))).rejects.toMatchObject({
    code: 'prompt_send_transient',
    message: expect.stringContaining('is hung'),
  });
  await adapter.resume(handle);
  await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
  expect((await session.journal()).map(({ merged }) => merged)).toEqual([false, false]);
});
