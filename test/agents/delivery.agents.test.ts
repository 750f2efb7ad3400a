import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeliveryPoint } from '../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { pasteable } from '../../tmux/panes/buffers.ts';
import { SHAPES, type Shape, tortureEnvelope, torturePrompts } from '../fixtures/scripted/torture.ts';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS, type Program } from './programs/pins.ts';
import { useRealSessions } from './support/realSession.ts';

const POINTS: readonly DeliveryPoint[] = ['pasting', 'pasted', 'entering', 'entered', 'proven'];

/** How many prompts of each shape. `DEVFLOW_TEST_PROMPTS=20` makes a hundred. */
const ASKED = process.env.DEVFLOW_TEST_PROMPTS;
const EACH = Number(ASKED ?? 2);

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  /** How many prompts in one session. */
  async function deliver(shapes: readonly Shape[], times: number, wraps = true): Promise<void> {
    const env: Record<string, string> = wraps ? {} : { CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF: '1' };
    const { start, adapter, model, input, becomes, home } = await given(program, { scenario: 'claims-done', env });
    if (!wraps) switchWrapperOff(join(home, 'claude-config'));
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
    if (!wraps) expect(recordsOf(join(home, 'claude-config'))).not.toContain('<pasted_content');
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

  test('a prompt arrives once, though the daemon is killed in its delivery', async () => {
    const session = await given(program, { scenario: 'claims-done' });
    const { model, input, next } = session;
    const handle = await session.start();
    let { adapter } = session;
    const prompts = torturePrompts(`killed ${program}`, ['many-lines', 'markers']);
    for (const [nth, point] of POINTS.entries()) {
      const expectedArtifact = join(input.cwd, '.devflow', `killed-${nth}.json`);
      const envelope = tortureEnvelope(prompts.next().value, { expectedArtifact });
      await adapter.release(handle);
      const killed = next({
        at(reached) {
          if (reached === point) throw new Error(`killed at ${point}`);
        },
      });
      await killed.start(input);
      await expect(killed.sendPrompt(handle, envelope)).rejects.toThrow(`killed at ${point}`);
      await killed.release(handle);
      adapter = next();
      await adapter.start(input);
      await adapter.sendPrompt(handle, envelope);
      await until('the turn is closed', () => model.closed(envelope.uuid));
      expect(model.deliveries(envelope.uuid), point).toBe(1);
    }
    expect(model.merged).toEqual([]);
  });

  test.runIf(program === 'claude')('a prompt of each shape arrives once if the program does not wrap it', () =>
    deliver(SHAPES, SHAPES.length, false),
  );
});

/** A flag that the server of Claude Code sets; without telemetry it is on (2.1.332). */
function switchWrapperOff(directory: string): void {
  const path = join(directory, '.claude.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...config, cachedGrowthBookFeatures: { tengu_virtual_pancake: false } }));
}

function recordsOf(directory: string): string {
  const names = readdirSync(join(directory, 'projects'), { recursive: true, encoding: 'utf8' });
  const records = names.filter((name) => name.endsWith('.jsonl'));
  expect(records).not.toEqual([]);
  return records.map((name) => readFileSync(join(directory, 'projects', name), 'utf8')).join('');
}

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
