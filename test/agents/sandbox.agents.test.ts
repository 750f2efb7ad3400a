import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ESCAPES, escapeScript, readEscapes } from '../fixtures/sandbox/escapes.ts';
import { noSandboxBecause } from '../helpers/canSandbox.ts';
import { outsideWorld } from '../helpers/outsideWorld.ts';
import { until } from '../helpers/until.ts';
import { PROGRAMS } from './programs/pins.ts';
import { isValid } from './support/judge.ts';
import { useRealSessions } from './support/realSession.ts';

/** Codex makes its own sandboxes inside, so namespaces are open to it. They show it nothing more. */
const OPEN: Readonly<Record<string, readonly string[]>> = { codex: ['make namespaces'] };

describe.skipIf(noSandboxBecause).each(PROGRAMS)('%s in a sandbox', (program) => {
  const given = useRealSessions();

  test('takes prompts, is adopted and resumes its conversation', async () => {
    const { start, adapter, next, end, envelope, becomes, input, model, told } = await given(program, {
      sandboxed: true,
    });
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await until('it is written', () => existsSync(envelope().expectedArtifact));
    await becomes('READY');
    await end(adapter);
    const later = next();
    await later.start({ ...input, adoptOnly: true });
    process.kill(handle.pid ?? 0, 'SIGKILL');
    await until('it is dead', async () => !(await later.probe(handle)).alive);
    const resumed = await later.resume(handle);
    expect(later.hasLostConversation(input.sessionId)).toBe(false);
    await later.sendPrompt(resumed, envelope({ attempt: 2 }));
    await until('it is written again', () => existsSync(envelope({ attempt: 2 }).expectedArtifact));
    expect(isValid(envelope())).toBe(true);
    // The second prompt came with the first one's answer: the conversation is the same.
    expect(model.heard.at(-1)?.prompts).toEqual(expect.arrayContaining([envelope().uuid]));
    expect(told.filter((stall) => stall)).toEqual([]);
  });

  test('escapes in no way', async () => {
    const { start, adapter, envelope, input, model } = await given(program, { sandboxed: true, scenario: 'escapes' });
    const { outside } = await outsideWorld();
    const script = escapeScript({ ...outside, WORKTREE: input.cwd, SESSION: input.sessionDir });
    mkdirSync(join(input.cwd, '.devflow', 'artifacts'), { recursive: true });
    writeFileSync(join(input.cwd, 'escapes.sh'), script);
    const handle = await start();
    await adapter.sendPrompt(handle, envelope());
    await until('the turn is closed', () => model.closed(envelope().uuid));
    const found = readEscapes(readFileSync(join(input.cwd, 'escapes.txt'), 'utf8'));
    expect(found.size).toBe(ESCAPES.length);
    expect([...found].flatMap(([name, escaped]) => (escaped && !OPEN[program]?.includes(name) ? [name] : []))).toEqual(
      [],
    );
  });
});
