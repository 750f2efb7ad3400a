import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import type { Profile } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();

it('is known from the end of a turn until the next prompt', async () => {
  const { adapter, input, envelope, happened } = await given();
  const handle = await adapter.start(input);
  const turn = adapter.turnOf(input.sessionId);
  expect(await turn?.endedAt()).toBeUndefined();
  let isTold = false;
  turn?.listen(() => {
    isTold = true;
  });
  const prompt = envelope();
  await adapter.sendPrompt(handle, prompt);
  await happened('turn-ended');
  const endedAt = await until('the end of its turn is known', () => turn?.endedAt());
  expect(isTold).toBe(true);
  expect(endedAt).toBeGreaterThanOrEqual(statSync(prompt.expectedArtifact).mtimeMs);
  await adapter.sendPrompt(handle, envelope({ attempt: 2, instructions: 'Delay-Ms: 600000' }));
  expect(await turn?.endedAt()).toBeUndefined();
});

it('is not known while a command that the agent started still runs', async () => {
  const session = await given();
  const { adapter, input, envelope, happened } = session;
  const handle = await adapter.start(input);
  const turn = adapter.turnOf(input.sessionId);
  // Not among the first processes of the pane, which count as the program's own.
  const startedAt = Date.now();
  await until('its start is over', () => Date.now() > startedAt + 3_000);
  await session.type('/run setsid sleep 600 >/dev/null 2>&1 & echo $!');
  await session.press('Enter');
  const pid = Number((await happened('ran')).stdout);
  await adapter.sendPrompt(handle, envelope());
  const hooks = async () => (await session.events('hook')).filter(({ name }) => name === 'Stop');
  await until('the turn has ended', async () => (await hooks()).length > 0);
  // The last title may be read after the hook.
  await until('nothing contradicts it', async () => (await adapter.probe(handle)).hint === 'READY');
  // As a wait for a file asks: once, and again at each notification.
  let endedAt: number | undefined;
  const ask = async () => {
    endedAt = await turn?.endedAt();
  };
  turn?.listen(() => void ask());
  await ask();
  expect(endedAt).toBeUndefined();
  process.kill(pid, 'SIGKILL');
  await until('the end of its turn is told', () => endedAt !== undefined);
});

it('is known as soon as an answered dialog has left the screen, without any other news', async () => {
  let isAsking = false;
  const readScreen: Profile['readScreen'] = (screen, shownAt) =>
    isAsking ? { dialog: 'permission' } : scripted.readScreen(screen, shownAt);
  const { adapter, input, envelope } = await given({ profile: { readScreen } });
  const handle = await adapter.start(input);
  const turn = adapter.turnOf(input.sessionId);
  await adapter.sendPrompt(handle, envelope());
  const endedAt = await until('the end of its turn is known', () => turn?.endedAt());
  let told = 0;
  turn?.listen(() => {
    told += 1;
  });
  isAsking = true;
  expect((await adapter.probe(handle)).hint).toContain('permission');
  expect(await turn?.endedAt()).toBeUndefined();
  expect(told).toBe(1);
  isAsking = false;
  expect(await turn?.endedAt()).toBe(endedAt);
  expect(told).toBe(2);
});

it('is not known of a program that another one has replaced', async () => {
  const { adapter, input, envelope } = await given();
  const handle = await adapter.start(input);
  const turn = adapter.turnOf(input.sessionId);
  await adapter.sendPrompt(handle, envelope());
  await until('the end of its turn is known', () => turn?.endedAt());
  await adapter.rebootstrap(handle);
  expect(await turn?.endedAt()).toBeUndefined();
});
