import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ESCAPES, escapeScript, readEscapes } from '../../fixtures/sandbox/escapes.ts';
import { outsideWorld } from '../../helpers/outsideWorld.ts';
import { inSandbox, scriptIn, withoutSandbox } from '../../helpers/sandboxed.ts';

const isRoot = process.getuid?.() === 0;
const names = ESCAPES.map(({ name }) => name);

test('everything that is refused in the sandbox works without it', async () => {
  const world = await outsideWorld();
  writeFileSync(scriptIn(world), escapeScript(world.outside));
  const found = readEscapes((await withoutSandbox(world, ['sh', 'escapes.sh'])).out);
  expect([...found.keys()]).toEqual(names);
  const refused = ESCAPES.filter(({ name, needsRoot }) => !found.get(name) && (isRoot || !needsRoot));
  expect(refused.map(({ name }) => name)).toEqual([]);
});

test('an agent escapes in none of these ways', async () => {
  const world = await outsideWorld();
  writeFileSync(scriptIn(world), escapeScript(world.outside));
  const found = readEscapes((await inSandbox(world, ['sh', 'escapes.sh'])).out);
  expect([...found.keys()]).toEqual(names);
  expect(names.filter((name) => found.get(name))).toEqual([]);
});
