import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkPolicy } from '../../daemon/policy/policy.ts';
import { flakyCheck } from '../helpers/flakyCheck.ts';

test('a flaky check fails once, at the first tree that has the file', () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-flaky-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const tree = join(root, 'tree');
  mkdirSync(tree);
  const [program = '', ...args] = flakyCheck(join(root, 'state'), 'a.txt');
  const run = () => spawnSync(program, args, { cwd: tree }).status;
  expect(run()).toBe(0);
  writeFileSync(join(tree, 'a.txt'), '');
  expect([run(), run(), run()]).toEqual([1, 0, 0]);
  expect(checkPolicy([program, ...args])).toMatchObject({ allowed: true });
});
