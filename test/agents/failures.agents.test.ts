import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  const given = useRealSessions();

  test('what the model refuses is told as what it is: an error, a log-in that is missing, a limit', async () => {
    const { start, envelope, adapter, becomes, model, told } = await given(program, { scenario: 'http-500' });
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await becomes('ERROR');

    model.play('http-401');
    await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
    await becomes('LOGIN');
    await until('it is told', () => told.at(-1)?.cause === 'login');

    model.play('ok');
    await adapter.sendPrompt(handle, envelope({ attempt: 3 }));
    await becomes('READY');

    model.play('http-429');
    await adapter.sendPrompt(handle, envelope({ attempt: 4 }));
    await becomes('QUOTA');
    await until('it is told', () => told.at(-1)?.cause === 'quota');
    expect(told.map((stall) => stall?.cause)).toEqual([undefined, 'login', undefined, 'quota']);
  });

  test.runIf(program === 'codex').each([
    ['today', 60 * 60],
    ['another day', 3 * 24 * 60 * 60],
  ])('the end of a limit is told: %s', async (_, inSeconds) => {
    const { start, envelope, adapter, becomes, model, told } = await given(program, { scenario: 'http-429-reset' });
    const handle = await start();
    model.resets = Math.ceil(Date.now() / 60_000) * 60 + inSeconds;
    await adapter.sendPrompt(handle, envelope());
    await becomes('QUOTA');
    await until('its end is told', () => told.at(-1)?.until?.getTime() === model.resets * 1000);
  });
});
