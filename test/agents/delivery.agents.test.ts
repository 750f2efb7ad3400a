import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { pasteable } from '../../tmux/panes/buffers.ts';
import { SHAPES, type Shape, tortureEnvelope, torturePrompts } from '../fixtures/scripted/torture.ts';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS, type Program } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

/** How many prompts of each shape. `DEVFLOW_TEST_PROMPTS=20` makes a hundred. */
const ASKED = process.env.DEVFLOW_TEST_PROMPTS;
const EACH = Number(ASKED ?? 2);

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  /** How many prompts in one session. */
  async function deliver(shapes: readonly Shape[], times: number): Promise<void> {
    const { start, adapter, model, input, becomes } = await given(program, { scenario: 'claims-done' });
    const handle = await start();
    const prompts = torturePrompts(`real ${program}`, shapes);
    const takings: number[] = [];
    for (let nth = 0; nth < times; nth++) {
      const expectedArtifact = join(input.cwd, '.devflow', `${nth}.json`);
      const envelope = tortureEnvelope(prompts.next().value, { expectedArtifact });
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
    if (ASKED) console.log(`${program} ${shapes}: ${times} prompts, taken after ${takings.join(', ')} ms`);
  }

  test.runIf(isTriedWhole(program) || ASKED).each(SHAPES)(
    'prompts of the shape %s arrive once each, whole and alone',
    (shape) => deliver([shape], EACH),
    EACH * 60_000,
  );

  test.skipIf(isTriedWhole(program) || ASKED)('a prompt of each shape arrives once, whole and alone', () =>
    deliver(SHAPES, SHAPES.length),
  );
});

/**
 * How a text changes: Claude turns tabs into blanks and leaves out characters that nobody sees (2.1.332), opencode adds
 * a blank after a paste, Gemini has escaped at signs.
 */
function arrived(program: Program, text: string): string {
  if (program === 'gemini') return text.replaceAll('\\@', '@');
  if (program === 'opencode') return text.replace(/ $/, '');
  return program === 'claude' ? text.replaceAll('\t', '    ').replace(UNSEEN, '') : text;
}

const UNSEEN = /\u200b|\u200d|\ufeff|\u00ad|\ufe0f|\u202e/g;
