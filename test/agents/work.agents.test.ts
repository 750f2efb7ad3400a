import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS } from './programs/pins.ts';
import { isValid } from './support/judge.ts';
import { useRealSessions } from './support/realSession.ts';

describe.each(PROGRAMS.filter(isTriedWhole))('%s', (program) => {
  const given = useRealSessions();

  test('starts without a dialog, takes a prompt once, writes its artifact, and is idle', async () => {
    const { start, envelope, adapter, becomes, model, told, why } = await given(program);
    const handle = await start();
    // Codex briefly shows a busy title when it starts.
    await becomes('READY');
    expect((await why()).at(-1)).toMatch(SIGNALS[program]);
    const prompt = envelope();
    expect(await adapter.sendPrompt(handle, prompt)).toMatchObject({ promptId: prompt.uuid });
    await until('the artifact is written', () => existsSync(prompt.expectedArtifact));
    await becomes('READY');
    expect(isValid(prompt)).toBe(true);
    expect(await adapter.sendPrompt(handle, prompt)).toMatchObject({ promptId: prompt.uuid });
    expect(model.deliveries(prompt.uuid)).toBe(1);
    expect(told).toEqual([undefined]);
  });

  test('is busy while the model answers, until Esc', async () => {
    const { start, envelope, adapter, becomes, model, press, screen } = await given(program, { scenario: 'slow' });
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    // From the moment it takes the prompt, an old idle sign must not count.
    expect(await adapter.probe(handle)).toMatchObject({ paneActive: true });
    await until('the model is at it', () => model.heard.some(({ kind }) => kind === 'turn'));
    await press('Escape');
    if (program === 'opencode') {
      await until('it wants to be told again', async () => (await screen()).includes('esc again to interrupt'));
      await press('Escape');
    }
    await becomes('READY');
    await until('it hung up', () => model.heard.some(({ kind, broken }) => kind === 'turn' && broken));
    expect(existsSync(envelope().expectedArtifact)).toBe(false);
    model.play('ok');
    const next = envelope({ attempt: 2 });
    await adapter.sendPrompt(handle, next);
    await until('it is written', () => existsSync(next.expectedArtifact));
    expect(model.textOf(next.uuid)).toContain('Attempt: 2');
    expect(model.merged).toEqual([]);
  });

  test('corrects an invalid artifact after a repair prompt, and writes nothing outside', async () => {
    const it = await given(program, { scenario: 'invalid-then-ok' });
    const { start, adapter, becomes, model } = it;
    const handle = await start();
    const work = async (prompt: PromptEnvelope) => {
      await adapter.sendPrompt(handle, prompt);
      await until('the turn is closed', () => model.closed(prompt.uuid));
      await becomes('READY');
    };
    const first = it.envelope();
    await work(first);
    expect(isValid(first)).toBe(false);
    const repair = `The artifact you wrote to ${first.expectedArtifact} is not valid:\n- /: no`;
    const second = it.envelope({ attempt: 2, instructions: `Write it.\n\n${repair}` });
    await work(second);
    expect(isValid(second)).toBe(true);

    model.play('claims-done');
    const third = it.envelope({ attempt: 3 });
    await work(third);
    expect(existsSync(third.expectedArtifact)).toBe(false);

    model.play('outside');
    const fourth = it.envelope({ attempt: 4 });
    await work(fourth);
    expect(existsSync(`${it.input.cwd}-outside.txt`)).toBe(false);
    expect(isValid(fourth)).toBe(true);

    model.play('command');
    const fifth = it.envelope({ attempt: 5, phaseKey: 'implement', expectedSchema: 'dev/implementation@1' });
    await work(fifth);
    expect(readFileSync(join(it.input.cwd, 'ran.txt'), 'utf8')).toBe('ran\n');
    expect(isValid(fifth)).toBe(true);
    expect(existsSync(join(it.input.cwd, 'stub', 'implement-5.md'))).toBe(true);

    // Without a tool for it, or where devflow's flags deny that, it asks in words. Claude's question waits for an answer.
    model.play('question');
    if (program !== 'claude') await work(it.envelope({ attempt: 6 }));
    expect(it.told).toEqual([undefined]);
  });

  test('a read-only agent writes its artifact and nothing else', async () => {
    const { start, adapter, envelope, input, model } = await given(program, { permissionMode: 'read' });
    // The directory that the harness makes with the worktree.
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    const handle = await start();
    const prompt = envelope({ phaseKey: 'implement', expectedSchema: 'dev/implementation@1' });
    await adapter.sendPrompt(handle, prompt);
    await until('the turn is closed', () => model.closed(prompt.uuid));
    expect(isValid(prompt)).toBe(true);
    expect(existsSync(join(input.cwd, 'stub'))).toBe(false);
  });
});

/**
 * The signal that showed READY at the start: for Claude its state file or its title, whichever comes first; for Codex
 * only its screen.
 */
const SIGNALS = {
  claude: /^rule: READY: the (state file|title|last hook)/,
  codex: /^rule: READY: the screen decides/,
  gemini: /^rule: READY: the screen decides/,
  opencode: /^rule: READY: the last hook decides/,
};
