import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { improvementFor, improvementWork, improveStrategy } from '../../../../daemon/sessions/fake/improvement.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';

const WISH = 'Improve the strategy.\n\nImprove: longer, quiet\n';

test('each attempt tries the next variant, and the last one goes on', () => {
  expect([1, 2, 3].map((attempt) => improvementFor(WISH, attempt))).toEqual(['longer', 'quiet', 'quiet']);
  expect(improvementFor('Improve the strategy.', 1)).toBeUndefined();
  expect(improvementFor('Improve: ../secret', 1)).toBeUndefined();
});

test('its hypothesis names the first cluster of the prompt', () => {
  const envelope = (more: string) =>
    ({ expectedSchema: 'bt/hypothesis@1', instructions: `${WISH}${more}` }) as PromptEnvelope;
  const said = (more: string) => JSON.parse(improvementWork(envelope(more), 1) ?? 'null');
  expect(said('"clusters": [{ "id": "hour=09", "by": "hour" }]')).toMatchObject({
    evidence: ['hour=09'],
    paths: ['strategy.ts'],
  });
  expect(said('').evidence).toEqual([]);
});

test('the implementer says which variant the strategy is now', () => {
  const envelope = { expectedSchema: 'dev/implementation@1', instructions: WISH } as PromptEnvelope;
  expect(JSON.parse(improvementWork(envelope, 2) ?? 'null')).toMatchObject({
    summary: 'The strategy is the variant "quiet" now.',
    files: [{ path: 'strategy.ts', change: 'modified' }],
  });
  expect(improvementWork({ ...envelope, instructions: 'Greet.' }, 1)).toBeUndefined();
});

test('a variant takes the place of the strategy; one that is missing or a link changes nothing', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'devflow-improve-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'variants'));
  writeFileSync(join(cwd, 'variants/longer.ts'), 'longer\n');
  writeFileSync(join(cwd, 'strategy.ts'), 'base\n');
  symlinkSync('/etc/passwd', join(cwd, 'variants/link.ts'));
  improveStrategy(cwd, 'gone');
  improveStrategy(cwd, 'link');
  expect(readFileSync(join(cwd, 'strategy.ts'), 'utf8')).toBe('base\n');
  improveStrategy(cwd, 'longer');
  expect(readFileSync(join(cwd, 'strategy.ts'), 'utf8')).toBe('longer\n');
});
