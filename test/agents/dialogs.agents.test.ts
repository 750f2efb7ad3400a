import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

const ASKING = ['WAITING', 'DIALOG'];

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  const given = useRealSessions();

  test('a dialog at the start is told and gets no key; a person answers it, and the start goes on', async () => {
    const { start, becomes, press, told, screen, adapter, envelope, model } = await given(program, { trusted: false });
    const starting = start();
    starting.catch(() => {});
    await becomes(...ASKING);
    await until('it is told', () => told.at(-1)?.cause === 'dialog');
    const asked = await screen();
    expect(asked).toMatch(/trust/i);
    await press('Enter');
    const handle = await starting;
    await adapter.sendPrompt(handle, envelope());
    await until('it is written', () => existsSync(envelope().expectedArtifact));
    expect(model.deliveries(envelope().uuid)).toBe(1);
    expect(told.at(-1)).toBeUndefined();
  });

  test('a log-in that is missing is told before any prompt is sent', async () => {
    const { start, becomes, told, adapter, envelope, input, model } = await given(program, { loggedIn: false });
    const starting = start();
    starting.catch(() => {});
    await becomes('LOGIN', 'DIALOG');
    await until('it is told', () => told.at(-1)?.cause === 'login');
    const handle = { sessionId: input.sessionId };
    await expect(adapter.probe(handle)).resolves.toMatchObject({ alive: true, stall: { cause: 'login' } });
    expect(model.deliveries(envelope().uuid)).toBe(0);
  });

  test.runIf(program === 'claude')('a question of its own is told as one', async () => {
    const asks = (argv: string[]) =>
      argv.map((word) => (word === 'dontAsk' ? 'default' : word.replace(/^Read,/, 'AskUserQuestion,Read,')));
    const it = await given(program, { scenario: 'question', argv: asks });
    const handle = await it.start();
    await it.adapter.sendPrompt(handle, it.envelope());
    await it.becomes(...ASKING);
    await until('it is told', () => it.told.at(-1)?.cause === 'question');
    await it.press('Enter');
    await until('it is written', () => existsSync(it.envelope().expectedArtifact));
    await it.becomes('READY');
  });

  test('a permission that it asks for is told, and a prompt waits behind it', async () => {
    const asks = (argv: string[]) => argv.map((word) => (/^(dontAsk|never)$/.test(word) ? POLICY[program] : word));
    const it = await given(program, { scenario: 'permission', argv: asks });
    const { start, becomes, press, told, adapter, envelope, model } = it;
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await becomes(...ASKING);
    await until('it is told', () => told.at(-1)?.cause === 'permission');
    let isSent = false;
    const sending = adapter.sendPrompt(handle, envelope({ attempt: 2 })).then(() => {
      isSent = true;
    });
    sending.catch(() => {});
    await until('it waits', async () => (await it.why()).some((fact) => fact.startsWith('prompt: waits')));
    expect([isSent, model.deliveries(envelope({ attempt: 2 }).uuid)]).toEqual([false, 0]);
    model.play('ok');
    await press('Escape');
    await sending;
    await until('it is written', () => existsSync(envelope({ attempt: 2 }).expectedArtifact));
    expect(existsSync(`${it.input.cwd}-outside.txt`)).toBe(false);
    expect(model.deliveries(envelope().uuid)).toBe(1);
    expect(model.merged).toEqual([]);
  });
});

/** In place of devflow's own, with which neither ever asks. */
const POLICY = { claude: 'default', codex: 'on-request' };
