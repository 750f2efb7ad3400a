import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

describe.each(['claude', 'codex', 'gemini'] as const)('%s', (program) => {
  const given = useRealSessions();

  test('reports what the model refuses: an error, a missing login, a limit', async () => {
    const it = await given(program, { scenario: 'http-500' });
    const { start, envelope, adapter, becomes, model, told } = it;
    const causes = () => told.flatMap((stall) => stall?.cause ?? []);
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    // Gemini asks whether to keep trying.
    const asks = program === 'gemini' ? ['dialog'] : [];
    const stop = async () => {
      await becomes('DIALOG');
      await until('it is reported', () => causes().at(-1) === 'dialog');
      await it.press('Down');
      await until('it is chosen', async () => (await it.screen()).includes('● 2. Stop'));
      await it.press('Enter');
    };
    if (program === 'gemini') await stop();
    await becomes('ERROR');
    await until('it is reported', () => causes().at(-1) === 'error');

    model.play('http-401');
    await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    await becomes('LOGIN');
    await until('it is reported', () => causes().at(-1) === 'login');

    model.play('ok');
    await adapter.sendPrompt(handle, envelope({ attempt: 3 }));
    await becomes('READY');

    model.play('http-429');
    await adapter.sendPrompt(handle, envelope({ attempt: 4 }));
    if (program === 'gemini') await stop();
    await becomes('QUOTA');
    await until('it is reported', () => causes().at(-1) === 'quota');
    expect(causes()).toEqual([...asks, 'error', 'login', ...asks, 'quota']);
    expect([1, 2, 3, 4].map((attempt) => model.deliveries(envelope({ attempt }).uuid))).toEqual([1, 1, 1, 1]);
  });

  test.runIf(program === 'codex').each([
    ['today', 60 * 60],
    ['another day', 3 * 24 * 60 * 60],
  ])('reports the end of a limit: %s', async (_, inSeconds) => {
    const { start, envelope, adapter, becomes, model, told } = await given(program, { scenario: 'http-429-reset' });
    const handle = await start();
    model.resets = Math.ceil(Date.now() / 60_000) * 60 + inSeconds;
    await adapter.sendPrompt(handle, envelope());
    await becomes('QUOTA');
    await until('its end is reported', () => told.at(-1)?.until?.getTime() === model.resets * 1000);
  });
});

describe('opencode', () => {
  const given = useRealSessions();

  test('retries on its own, which counts as work; a refused key ends the turn; a limit names its end', async () => {
    const { start, envelope, adapter, becomes, model, told, why } = await given('opencode', { scenario: 'http-500' });
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await until('it tries again', async () => (await why()).some((fact) => fact.includes('Internal server error')));
    await becomes('BUSY');
    model.play('ok');
    await until('it is written', () => existsSync(envelope().expectedArtifact));
    await becomes('READY');
    expect(told).toEqual([undefined]);

    model.play('http-401');
    await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    await becomes('LOGIN');
    await until('it is reported', () => told.at(-1)?.cause === 'login');

    model.play('http-429-reset');
    model.resets = Math.ceil(Date.now() / 1000) + 60 * 60;
    await adapter.sendPrompt(handle, envelope({ attempt: 3 }));
    await becomes('QUOTA');
    await until('its end is reported', () => {
      const end = told.at(-1)?.until?.getTime() ?? 0;
      return Math.abs(end - model.resets * 1000) < 60_000;
    });
    expect([1, 2, 3].map((attempt) => model.deliveries(envelope({ attempt }).uuid))).toEqual([1, 1, 1]);
  });
});
