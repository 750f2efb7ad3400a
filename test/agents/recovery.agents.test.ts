import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  test('continues the same conversation after kill -9 of the program and of tmux', async () => {
    const it = await given(program);
    const { start, envelope, adapter, becomes, model, exits } = it;
    const handle = await start();
    const prompts = [1, 2, 3].map((attempt) => envelope({ attempt }));
    const [first, second, third] = prompts as [(typeof prompts)[0], (typeof prompts)[0], (typeof prompts)[0]];
    const work = async (prompt: typeof first) => {
      await adapter.sendPrompt(handle, prompt);
      await until('it is written', () => existsSync(prompt.expectedArtifact));
      await becomes('READY');
    };
    // Under load a late request about an earlier turn can be the newest one.
    const conversationAt = ({ uuid }: typeof first) =>
      model.heard.findLast(({ kind, newest }) => kind === 'turn' && newest === uuid)?.prompts;
    await work(first);

    process.kill(-(handle.pid ?? 0), 'SIGKILL');
    await until('its end is reported', () => exits.length === 1);
    await adapter.resume(handle);
    await work(second);
    expect(conversationAt(second)).toEqual([first.uuid, second.uuid]);

    process.kill(await it.serverPid(), 'SIGKILL');
    await until('its end is reported', () => exits.length === 2);
    await adapter.resume(handle);
    await work(third);
    expect(conversationAt(third)).toEqual(prompts.map(({ uuid }) => uuid));
    expect(prompts.map(({ uuid }) => model.deliveries(uuid))).toEqual([1, 1, 1]);
  });

  test.runIf(isTriedWhole(program))('resumes idle after a kill in mid-turn, and gets no prompt twice', async () => {
    const { start, envelope, adapter, becomes, model, exits } = await given(program);
    const handle = await start();
    const [first, second, third] = [envelope(), envelope({ attempt: 2 }), envelope({ attempt: 3 })];
    await adapter.sendPrompt(handle, first);
    await until('it is written', () => existsSync(first.expectedArtifact));
    await becomes('READY');
    model.play('slow');
    await adapter.sendPrompt(handle, second);
    await until('the model is at it', () => model.conversation().includes(second.uuid));
    process.kill(-(handle.pid ?? 0), 'SIGKILL');
    await until('its end is reported', () => exits.length === 1);
    model.play('ok');
    await adapter.resume(handle);
    await becomes('READY');
    expect(await adapter.sendPrompt(handle, second)).toMatchObject({ promptId: second.uuid });
    await adapter.sendPrompt(handle, third);
    await until('it is written', () => existsSync(third.expectedArtifact));
    // Claude 2.1.197 has forgotten the prompt that it was killed at; Codex 0.169.0 has kept it. So the engine sends it again.
    expect(model.conversation()).toEqual(expect.arrayContaining([first.uuid, third.uuid]));
    expect(model.deliveries(second.uuid)).toBe(1);
    expect(existsSync(second.expectedArtifact)).toBe(false);
  });

  test.runIf(isTriedWhole(program))('the next daemon adopts a running agent and knows its state', async () => {
    const it = await given(program, { scenario: 'slow' });
    const handle = await it.start();
    await it.adapter.sendPrompt(handle, it.envelope());
    await it.becomes('BUSY');
    await it.adapter.release(handle);
    const next = it.next();
    await next.start({ ...it.input, adoptOnly: true });
    expect(await next.probe(handle)).toMatchObject({ alive: true, hint: expect.stringMatching(/^BUSY/) });
    it.model.release();
    await until('it is written', () => existsSync(it.envelope().expectedArtifact));
    await until('it rests', async () => (await next.probe(handle)).hint === 'READY');
  });
});
