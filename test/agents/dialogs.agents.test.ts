import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS } from './programs/pins.ts';
import { ASKS } from './support/asking.ts';
import { useRealSessions } from './support/realSession.ts';

const ASKING = ['WAITING', 'DIALOG'];

describe.each(PROGRAMS.filter(isTriedWhole))('%s', (program) => {
  const given = useRealSessions();

  // opencode has no trust dialog, and is ready without a provider.
  test.skipIf(program === 'opencode')(
    'reports a dialog at the start and presses no key; a person answers, and the start continues',
    async () => {
      const { start, becomes, press, told, screen, adapter, envelope, model } = await given(program, {
        trusted: false,
        ...(program === 'gemini' ? { launch: ASKS.gemini } : {}),
      });
      const starting = start();
      starting.catch(() => {});
      await becomes(...ASKING);
      await until('it is reported', () => told.at(-1)?.cause === 'dialog');
      const asked = await screen();
      expect(asked).toMatch(/trust/i);
      // Newer Claude Code marks "No, exit", and Enter would end it.
      if (/❯ No, exit/.test(asked)) await press('Down');
      await until('yes is marked', async () => !/❯ No, exit/.test(await screen()));
      await press('Enter');
      const handle = await starting;
      await adapter.sendPrompt(handle, envelope());
      await until('it is written', () => existsSync(envelope().expectedArtifact));
      expect(model.deliveries(envelope().uuid)).toBe(1);
      expect(told.at(-1)).toBeUndefined();
    },
  );

  test.skipIf(program === 'opencode')('reports a missing login before it sends a prompt', async () => {
    const { start, becomes, told, adapter, envelope, input, model } = await given(program, { loggedIn: false });
    const starting = start();
    starting.catch(() => {});
    await becomes('LOGIN', 'DIALOG');
    await until('it is reported', () => told.at(-1)?.cause === 'login');
    const handle = { sessionId: input.sessionId };
    await expect(adapter.probe(handle)).resolves.toMatchObject({ alive: true, stall: { cause: 'login' } });
    expect(model.deliveries(envelope().uuid)).toBe(0);
  });

  test.skipIf(program === 'codex')("reports the agent's own question as a question", async () => {
    const it = await given(program, {
      scenario: 'question',
      ...(program === 'claude' ? {} : { launch: ASKS[program] }),
    });
    const handle = await it.start();
    await it.adapter.sendPrompt(handle, it.envelope());
    await it.becomes(...ASKING);
    await until('it is reported', () => it.told.at(-1)?.cause === 'question');
    // Newer Claude Code ignores keys right after it drew a question, and a person presses again.
    await until('it is answered', async () => {
      await it.press('Enter');
      return it.told.at(-1) === undefined;
    });
    await until('it is written', () => existsSync(it.envelope().expectedArtifact));
    await it.becomes('READY');
    // Reported once, with its words.
    const detail = 'question: Which greeting do you want?';
    if (program === 'claude') expect(it.told.filter((stall) => stall)).toEqual([{ cause: 'question', detail }]);
    expect(it.model.deliveries(it.envelope().uuid)).toBe(1);
  });

  test('reports a request for permission, and holds the prompt back', async () => {
    // Gemini itself refuses paths outside.
    const scenario = program === 'gemini' ? 'command' : 'permission';
    const it = await given(program, { scenario, launch: ASKS[program] });
    const { start, becomes, press, told, adapter, envelope, model } = it;
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await becomes(...ASKING);
    await until('it is reported', () => told.at(-1)?.cause === 'permission');
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
    expect([`${it.input.cwd}-outside.txt`, join(it.input.cwd, 'ran.txt')].filter(existsSync)).toEqual([]);
    expect(model.deliveries(envelope().uuid)).toBe(1);
    expect(model.merged).toEqual([]);
  });
});
