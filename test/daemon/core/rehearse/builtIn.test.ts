import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { rehearseInParts } from '../../../../daemon/core/rehearse/rehearse.ts';
import { inParts } from '../../../../daemon/system/inParts.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { builtIn, DIRECTORY } from './builtIn.ts';
import { manyPhases } from './manyPhases.ts';

const rehearse = (...given: Parameters<typeof rehearseInParts>) => inParts(rehearseInParts(...given));

test.each(readdirSync(DIRECTORY))('nothing is found in %s, and every phase is reached', async (file) => {
  const { findings, phases, paths } = await rehearse(builtIn(file));
  expect(findings).toEqual([]);
  expect(phases.filter(({ reached }) => !reached)).toEqual([]);
  expect(paths.prompts.max).toBeGreaterThanOrEqual(paths.prompts.min);
});

test('the same template gives the same bytes, in whatever order its keys are', async () => {
  const template = builtIn('quick-change@2.yaml');
  const turned = Template.parse(reversed(parse(stringify(template))));
  const first = JSON.stringify(await rehearse(template));
  expect(JSON.stringify(await rehearse(template))).toBe(first);
  expect(JSON.stringify(await rehearse(turned))).toBe(first);
});

/** With all keys in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)] as const);
  return Object.fromEntries(entries.reverse());
}

test('a template with a role that no agent can take says so', async () => {
  const { ok, findings } = await rehearse(builtIn('quick-change@1.yaml'), { implementer: 'codex is not installed' });
  expect(ok).toBe(false);
  expect(findings).toEqual([
    { code: 'backend_absent', message: 'role implementer has no agent: codex is not installed', path: [] },
  ]);
});

test('walks 24 phases without a limit being reached', async () => {
  const { findings, states, paths } = await rehearse(manyPhases());
  expect(findings).toEqual([]);
  expect(paths).toEqual({ prompts: { min: 18, max: 90 }, agents: 3 });
  expect(states).toBeLessThan(2_000);
});
