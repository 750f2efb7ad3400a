import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeliveryPoint } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { HOOK_DIRECTORY } from '../../../../../daemon/sessions/tmux/observe/hookScript.ts';
import { endServer } from '../../../../helpers/endServer.ts';
import { type ScriptedSession, useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();
const timings = { pasteCapMs: 400, proofMs: 200, goneMs: 600, unreadMs: 600 };
const isAsked = { code: 'delivery_uncertain', class: 'human_required' };

class Killed extends Error {}

/** Its daemon ends too: connecting again, it could end the next server (see test/tmux/connecting.int.test.ts). */
async function switchOff({ agents, server }: ScriptedSession): Promise<void> {
  await agents.close();
  await endServer(server);
}

/**
 * A machine that was switched off right after Enter, and its next daemon. The agent took the prompt before that, or forgot it.
 * `reports`: its hook reported the prompt before the end.
 */
async function givenReboot(scripted: string, takes: boolean, { reports = false } = {}) {
  const strike = (point: DeliveryPoint) => {
    if (point === 'entered') throw new Killed();
  };
  const session = await given({ scripted, timings, apart: true, at: strike });
  const { adapter, input, envelope, journal, events, next } = session;
  await adapter.start(input);
  await expect(adapter.sendPrompt(input, envelope())).rejects.toBeInstanceOf(Killed);
  await until('Enter has reached it', async () =>
    takes ? (await journal()).length === 1 : (await events('forgotten')).length === 1,
  );
  await adapter.release(input);
  if (reports) {
    await until('its hook reported it', async () =>
      readdirSync(join(input.sessionDir, HOOK_DIRECTORY)).some((name) => name.includes('UserPromptSubmit')),
    );
  }
  await switchOff(session);
  const successor = next({ at: undefined });
  return { ...session, successor, keys: async () => (await journal()).map(({ dedupKeys }) => dedupKeys[0]) };
}

describe('a program that ended right after Enter, without a record', () => {
  it.each(['resume', 'rebootstrap'] as const)('is not followed by the same prompt unasked (%s)', async (how) => {
    const { successor, input, envelope, keys } = await givenReboot('hooks-off,busy-ms=60000', true);
    await successor.start(input);
    await successor[how](input);
    await expect(successor.sendPrompt(input, envelope())).rejects.toMatchObject(isAsked);
    await expect(successor.sendPrompt(input, envelope())).rejects.toMatchObject(isAsked);
    expect(await keys()).toHaveLength(1);
    await successor.sendPrompt(input, envelope(), { assumeTaken: false });
    expect(await keys()).toEqual([envelope().dedupKey, envelope().dedupKey]);
  });

  it('has ended with the prompt if a person says that it had taken it', async () => {
    const { successor, input, envelope, keys } = await givenReboot('hooks-off,busy-ms=60000', true);
    await successor.start(input);
    await expect(successor.sendPrompt(input, envelope())).rejects.toMatchObject(isAsked);
    const taken = await successor.sendPrompt(input, envelope(), { assumeTaken: true });
    expect(taken).toMatchObject({ takerEnded: true });
    expect(await keys()).toHaveLength(1);
  });
});

it('a program that ended right after Enter is not judged by the record of an earlier conversation', async () => {
  let armed = false;
  const strike = (point: DeliveryPoint) => {
    if (armed && point === 'entered') throw new Killed();
  };
  const session = await given({ scripted: '', timings, apart: true, at: strike });
  const { adapter, input, envelope, journal, configDir, next } = session;
  await adapter.start(input);
  await adapter.sendPrompt(input, envelope());
  await session.happened('turn-ended');
  writeFileSync(join(configDir, 'scripted.json'), '{"hooks-off": true, "busy-ms": 60000}');
  await adapter.rebootstrap(input);
  armed = true;
  const second = envelope({ attempt: 2 });
  await expect(adapter.sendPrompt(input, second)).rejects.toBeInstanceOf(Killed);
  await until('Enter has reached it', async () => (await journal()).length === 2);
  await adapter.release(input);
  await switchOff(session);
  const successor = next({ at: undefined });
  await successor.start(input);
  await successor.rebootstrap(input);
  await expect(successor.sendPrompt(input, second)).rejects.toMatchObject(isAsked);
  expect(await journal()).toHaveLength(2);
});

describe('a program that ended right after Enter, with a record', () => {
  it.each(['resume', 'rebootstrap'] as const)('is followed by the prompt that it forgot, unasked (%s)', async (how) => {
    const { successor, input, envelope, keys, configDir } = await givenReboot('forget', false);
    // The next program forgets nothing.
    writeFileSync(join(configDir, 'scripted.json'), '{"forget": false}');
    await successor.start(input);
    await successor[how](input);
    await successor.sendPrompt(input, envelope());
    expect(await keys()).toEqual([envelope().dedupKey]);
  });

  it('had the prompt that its hook reported while no daemon was there', async () => {
    const { successor, input, envelope, keys } = await givenReboot('busy-ms=60000', true, { reports: true });
    await successor.start(input);
    expect(await successor.sendPrompt(input, envelope())).toMatchObject({ takerEnded: true });
    expect(await keys()).toHaveLength(1);
  });
});
