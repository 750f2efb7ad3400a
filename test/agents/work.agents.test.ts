import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fixtureText } from '../fixtures/model/fixtureText.ts';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  const given = useRealSessions();

  test('is ready without any dialog, takes a prompt once, writes its artifact, and rests', async () => {
    const { start, envelope, adapter, becomes, model, told } = await given(program);
    const handle = await start();
    expect(await adapter.probe(handle)).toMatchObject({ alive: true, hint: 'READY' });
    const prompt = envelope();
    expect(await adapter.sendPrompt(handle, prompt)).toEqual({ promptId: prompt.uuid });
    await until('the artifact is written', () => existsSync(prompt.expectedArtifact));
    await becomes('READY');
    expect(JSON.parse(readFileSync(prompt.expectedArtifact, 'utf8'))).toEqual(
      JSON.parse(fixtureText(prompt.expectedSchema, 'ok')),
    );
    expect(model.deliveries(prompt.uuid)).toBe(1);
    expect(told).toEqual([undefined]);
  });
});
