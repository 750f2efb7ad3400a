import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runUntilKilled } from '../../helpers/killedByGit.ts';
import { another, givenSetup, NO_SETUP, treeOf } from './given.ts';

const LISTS = { copy: ['.env*', 'config/*.json'], clone: ['node_modules'], link: ['.cache'] };

/** A checkout with more files than the copying reports at once. */
async function givenModules(count: number) {
  const files = Array.from({ length: count }, (_, nth) => [`node_modules/p${nth % 20}/f${nth}.js`, `${nth}`]);
  const at = await givenSetup({
    ...Object.fromEntries(files),
    '.env': 'A=1',
    '.env.local': 'B=2',
    'config/a.local.json': '{}',
    '.cache/x': 'x',
  });
  const untouched = await another(at, 'lane-1');
  const expected = await untouched.setUp(LISTS);
  const survived = join(at.repo.root, 'survived');
  const die = (killAt: string) => {
    const args = [JSON.stringify(at.place('main')), JSON.stringify({ ...NO_SETUP, ...LISTS }), killAt, survived];
    runUntilKilled(at.repo.root, join(import.meta.dirname, 'placeChild.ts'), args, { at: 'never', when: 'before' });
  };
  /** Whole or absent: whatever was placed so far. */
  const expectNothingHalf = () => {
    const [here, there] = [treeOf(at.privateGit.path), treeOf(untouched.privateGit.path)];
    if (!('node_modules' in here)) return;
    const modules = (tree: Record<string, string>) =>
      Object.entries(tree).filter(([path]) => path.startsWith('node_modules'));
    expect(modules(here)).toEqual(modules(there));
  };
  return { ...at, untouched, expected, survived, die, expectNothingHalf };
}

it('does the rest after kills at each step, and returns the same', async () => {
  const at = await givenModules(60);
  for (let killAt = 1; !existsSync(at.survived); killAt++) {
    // The calls of the next step come after those of the steps that are done.
    at.die(String(killAt));
    at.expectNothingHalf();
  }
  expect(await at.setUp(LISTS)).toEqual(at.expected);
  expect(Object.keys(treeOf(at.privateGit.path)).sort()).toEqual(
    Object.keys(treeOf(at.untouched.privateGit.path)).sort(),
  );
  expect(readdirSync(at.runDir).sort()).toEqual(['lanes', 'main']);
});

it('begins a copy anew that was killed in the middle', async () => {
  const at = await givenModules(1500);
  at.die('progress');
  expect(at.isThere('node_modules')).toBe(false);
  expect(readdirSync(join(at.runDir, '.placing'))).toEqual(['main']);
  rmSync(join(at.runDir, '.placing/main/2'), { recursive: true, force: true });
  expect(await at.setUp(LISTS)).toEqual(at.expected);
  at.expectNothingHalf();
  expect(existsSync(join(at.runDir, '.placing'))).toBe(false);
});
