import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BRANCH, cloneRepository } from '../../../cli/rehearsal/playTemplate.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

let place: string;
let env: Record<string, string>;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'devflow-clone-'));
  env = isolatedEnv(join(place, 'home'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const gitIn = (dir: string, ...args: string[]) => execFileSync('git', args, { cwd: dir, env, encoding: 'utf8' }).trim();

test('a copy has the commit on a branch of its own, and no way back to the repository', () => {
  const repo = makeRepo(join(place, 'repo'), env);
  const first = repo.git('rev-parse', 'HEAD');
  repo.write({ 'later.txt': 'later' });
  repo.git('add', '--all');
  repo.git('commit', '-qm', 'later');
  const before = readdirSync(join(repo.dir, '.git')).sort();
  const copy = join(place, 'copy');
  cloneRepository(repo.dir, first, copy, env);
  expect(gitIn(copy, 'rev-parse', 'HEAD')).toBe(first);
  expect(gitIn(copy, 'branch', '--show-current')).toBe(BRANCH);
  expect(gitIn(copy, 'remote')).toBe('');
  expect(gitIn(copy, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(copy, 'later.txt'))).toBe(false);
  expect(readdirSync(join(repo.dir, '.git')).sort()).toEqual(before);
});

test('no hook and no filter of the repository runs', () => {
  const repo = makeRepo(join(place, 'repo'), env);
  const ran = join(place, 'ran');
  repo.write({ '.gitattributes': '* filter=spy\n', 'a.txt': 'a' });
  repo.git('add', '--all');
  repo.git('commit', '-qm', 'attributes');
  repo.git('config', 'filter.spy.smudge', `touch ${ran}; cat`);
  const hooks = join(repo.dir, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction']) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(join(hooks, hook), 0o755);
  }
  const copy = join(place, 'copy');
  cloneRepository(repo.dir, repo.git('rev-parse', 'HEAD'), copy, env);
  expect(readFileSync(join(copy, 'a.txt'), 'utf8')).toBe('a');
  expect(existsSync(ran)).toBe(false);
});

test('a name that looks like an option is a name', () => {
  const repo = makeRepo(join(place, '--upload-pack=touch ran'), env);
  const copy = join(place, 'copy');
  cloneRepository(repo.dir, repo.git('rev-parse', 'HEAD'), copy, env);
  expect(gitIn(copy, 'status', '--porcelain')).toBe('');
  expect(() => cloneRepository(repo.dir, 'f'.repeat(40), join(place, 'other'), env)).toThrowError(/f{40}/);
});
