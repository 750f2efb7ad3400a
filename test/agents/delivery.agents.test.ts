import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { pasteable } from '../../tmux/buffers.ts';
import { SHAPES, tortureEnvelope, torturePrompts } from '../fixtures/scripted/torture.ts';
import { until } from '../helpers/until.ts';
import { useRealSessions } from './support/realSession.ts';

/** Of each shape; the hundred prompts are `DEVFLOW_TEST_PROMPTS=20`. */
const EACH = Number(process.env.DEVFLOW_TEST_PROMPTS ?? 2);

describe.each(['claude', 'codex'] as const)('%s', (program) => {
  const given = useRealSessions();

  test.each(SHAPES)(
    'prompts of the shape %s arrive once each, whole and alone',
    async (shape) => {
      const { start, adapter, model, input, becomes } = await given(program, { scenario: 'claims-done' });
      const handle = await start();
      const shapes = torturePrompts(`real ${program}`, [shape]);
      const takings: number[] = [];
      for (let nth = 0; nth < EACH; nth++) {
        const expectedArtifact = join(input.cwd, '.devflow', `${nth}.json`);
        const envelope = tortureEnvelope(shapes.next().value, { expectedArtifact });
        const began = performance.now();
        await adapter.sendPrompt(handle, envelope);
        takings.push(Math.round(performance.now() - began));
        await until('the turn is closed', () => model.closed(envelope.uuid)).catch(async (error) => {
          throw new Error(`${error}: ${await becomes('READY')}`);
        });
        expect(model.deliveries(envelope.uuid)).toBe(1);
        expect(arrived(program, model.textOf(envelope.uuid) ?? '')).toBe(
          arrived(program, pasteable(renderEnvelope(envelope))),
        );
      }
      expect(model.merged).toEqual([]);
      if (process.env.DEVFLOW_TEST_PROMPTS)
        console.log(`${program} ${shape}: ${EACH} prompts, taken after ${takings.join(', ')} ms`);
    },
    EACH * 60_000,
  );
});

/** What the program makes of a text: Claude turns tabs into blanks. */
function arrived(program: 'claude' | 'codex', text: string): string {
  return program === 'claude' ? text.replaceAll('\t', '    ') : text;
}
