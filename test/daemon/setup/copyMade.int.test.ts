import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addExcluded } from '../../../daemon/repository/privateGit/ownExcludes.ts';
import { copyMade, listMade } from '../../../daemon/setup/copyMade.ts';
import { listUntracked } from '../../../daemon/setup/worktreeBefore.ts';
import { writeFiles } from '../../helpers/writeFiles.ts';
import { another, givenSetup } from './given.ts';

const { signal } = new AbortController();

/** A worktree in which these files were made. */
async function givenMade(files: Record<string, string>) {
  const at = await givenSetup();
  writeFiles(at.path('.'), files);
  return at;
}

it('copies what git ignores and what devflow excludes, and no work of anybody', async () => {
  const at = await givenMade({
    'node_modules/x/index.js': 'x\n',
    '.env': 'A=1\n',
    '.venv/made': 'v\n',
    'work.txt': 'work\n',
    '.devflow/artifacts/a.json': '{}\n',
  });
  await addExcluded(at.privateGit, ['.venv']);
  expect((await listMade(at.privateGit)).sort()).toEqual(['.env', '.venv', 'node_modules']);
  const other = await another(at, 'other');
  await copyMade(at.privateGit, other.privateGit, signal);
  expect(other.text('node_modules/x/index.js')).toBe('x\n');
  expect(other.text('.venv/made')).toBe('v\n');
  expect(other.text('.env')).toBe('A=1\n');
  expect(other.isThere('work.txt')).toBe(false);
  expect(other.isThere('.devflow/artifacts/a.json')).toBe(false);
  // No commit gets it there, either.
  expect(await listUntracked(other.privateGit)).toEqual([]);
});

it('leaves what is there', async () => {
  const at = await givenMade({ '.env': 'A=1\n', 'node_modules/x': 'x\n' });
  const other = await another(at, 'other');
  writeFileSync(other.path('.env'), 'B=2\n');
  await copyMade(at.privateGit, other.privateGit, signal);
  await copyMade(at.privateGit, other.privateGit, signal);
  expect(other.text('.env')).toBe('B=2\n');
  expect(other.text('node_modules/x')).toBe('x\n');
});

it('says what it could not copy, and leaves no part of it', async () => {
  const at = await givenMade({ '.env': 'A=1\n', 'config/a.local.json': '{}\n' });
  mkdirSync(at.path(`node_modules/${'d/'.repeat(202)}`), { recursive: true });
  const other = await another(at, 'other');
  writeFileSync(other.path('config'), 'a file\n');
  expect(await copyMade(at.privateGit, other.privateGit, signal)).toEqual([
    { path: 'config/a.local.json', reason: 'has no directory: config is not a directory' },
    { path: 'node_modules', reason: 'has more than 200 directories in each other' },
  ]);
  expect([other.text('.env'), other.text('config')]).toEqual(['A=1\n', 'a file\n']);
  expect(other.isThere('node_modules')).toBe(false);
});

it('copies nothing from a worktree without such files', async () => {
  const at = await givenMade({});
  expect(await listMade(at.privateGit)).toEqual([]);
  const other = await another(at, 'other');
  await copyMade(at.privateGit, other.privateGit, signal);
});
