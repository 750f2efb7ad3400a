import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type SetupEnd, setUpDirectly } from '../../../daemon/setup/setUpDirectly.ts';
import { runUntilKilled } from '../../helpers/killedByGit.ts';
import { another, givenSetup, NO_SETUP, treeOf } from './given.ts';

const SETUP = {
  ...NO_SETUP,
  copy: ['.env*', 'config/*.json'],
  clone: ['node_modules'],
  link: ['.cache'],
  // It must not run twice.
  commands: [{ argv: ['sh', '-c', 'echo x >>made.txt; echo changed >f.txt; rm old.txt'] }],
};

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
  const input = (name: string) => ({ setup: SETUP, dir: join(at.repo.root, name), id: 'test', timeoutMs: 60_000 });
  const now = () => new Date();
  const expected = await setUpDirectly({ ...input('untouched'), privateGit: untouched.privateGit, now });
  const result = join(at.repo.root, 'result.json');
  const die = (killAt: string) => {
    const args = [JSON.stringify({ ...input('killed'), place: at.place('main') }), killAt, result];
    runUntilKilled(at.repo.root, join(import.meta.dirname, 'setupChild.ts'), args, { at: 'never', when: 'before' });
  };
  const modules = (tree: Record<string, string>) =>
    Object.entries(tree).filter(([path]) => path.startsWith('node_modules'));
  /** Whole or absent: whatever was placed so far. */
  const expectNothingHalf = () => {
    const here = treeOf(at.privateGit.path);
    if ('node_modules' in here) expect(modules(here)).toEqual(modules(treeOf(untouched.privateGit.path)));
  };
  return { ...at, untouched, expected, result, die, expectNothingHalf };
}

const facts = ({ ok, placed, refused, changed, excluded }: SetupEnd) => ({ ok, placed, refused, changed, excluded });

it('does the rest after kills at each step, and returns the same', async () => {
  const at = await givenModules(60);
  for (let killAt = 1; !existsSync(at.result); killAt++) {
    at.die(String(killAt));
    at.expectNothingHalf();
  }
  expect(facts(JSON.parse(readFileSync(at.result, 'utf8')))).toEqual(facts(at.expected));
  const names = (root: string) => Object.keys(treeOf(root)).sort();
  expect(names(at.privateGit.path)).toEqual(names(at.untouched.privateGit.path));
  expect([at.text('made.txt'), at.text('f.txt'), at.text('old.txt')]).toEqual(['x\n', '1\n2\n3\n4\n5\n', 'old\n']);
  expect(at.expected).toMatchObject({ ok: true, changed: ['f.txt', 'old.txt'], excluded: ['made.txt'] });
  // The copies of what git could lose stay. What was being placed does not.
  expect(readdirSync(at.runDir).sort()).toEqual(['.kept', 'lanes', 'main']);
});

it('begins a copy anew that was killed in the middle', async () => {
  const at = await givenModules(1500);
  at.die('progress');
  expect(at.isThere('node_modules')).toBe(false);
  expect(readdirSync(join(at.runDir, '.placing'))).toEqual(['main']);
  at.die('10000');
  expect(facts(JSON.parse(readFileSync(at.result, 'utf8')))).toEqual(facts(at.expected));
  at.expectNothingHalf();
  expect(existsSync(join(at.runDir, '.placing'))).toBe(false);
});
