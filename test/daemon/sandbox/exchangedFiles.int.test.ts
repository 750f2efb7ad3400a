import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exchangeFiles, watchExchanged } from '../../../daemon/sandbox/exchangedFiles.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'exchanged-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [directory, own, person] = ['sandbox', 'own', 'person'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [directory, own, person]) mkdirSync(each);
  const theirs = join(person, 'auth.json');
  const ours = join(own, 'auth.json');
  const put = (path: string, text: string) => writeFileSync(path, text);
  /** As the program does. */
  const replace = (path: string, text: string) => {
    put(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const both = () => [theirs, ours].map((path) => readFileSync(path, 'utf8'));
  const files = [{ theirs, root: own, path: 'auth.json' }];
  put(theirs, '{"token":1}');
  exchangeFiles(directory, files);
  const follow = async () => {
    const stop = await watchExchanged(directory);
    onTestFinished(stop);
    return stop;
  };
  return { root, directory, theirs, ours, put, replace, both, follow, again: () => exchangeFiles(directory, files) };
}

it('gives the sandbox a copy, and takes what the program renews in it', async () => {
  const { both, replace, ours, theirs, follow } = given();
  expect(both()).toEqual(['{"token":1}', '{"token":1}']);
  await follow();
  replace(ours, '{"token":2}');
  await expect.poll(both).toEqual(['{"token":2}', '{"token":2}']);
  replace(theirs, '{"token":3}');
  await expect.poll(both).toEqual(['{"token":3}', '{"token":3}']);
});

it('takes what was renewed while no daemon ran', async () => {
  const { both, replace, ours, follow } = given();
  replace(ours, '{"token":2}');
  await follow();
  expect(both()).toEqual(['{"token":2}', '{"token":2}']);
});

it('takes the newer of two changes', () => {
  const { both, put, ours, theirs, again } = given();
  put(ours, '{"token":2}');
  put(theirs, '{"token":3}');
  utimesSync(ours, 1, 1);
  again();
  expect(both()).toEqual(['{"token":3}', '{"token":3}']);
});

it('takes nothing that is half written, too large, or a link', () => {
  const { both, put, ours, theirs, root, again } = given();
  for (const text of ['{"token":', '"text"', `{"a":"${'x'.repeat(2 ** 20)}"}`]) {
    put(ours, text);
    again();
    expect(readFileSync(theirs, 'utf8')).toBe('{"token":1}');
  }
  put(join(root, 'other.json'), '{"other":true}');
  rmSync(ours);
  symlinkSync(join(root, 'other.json'), ours);
  again();
  expect(both()).toEqual(['{"token":1}', '{"token":1}']);
});

it('keeps a link of the person', () => {
  const { put, ours, theirs, root, again } = given();
  const real = join(root, 'dotfiles.json');
  renameSync(theirs, real);
  symlinkSync(real, theirs);
  put(ours, '{"token":2}');
  again();
  expect(readFileSync(real, 'utf8')).toBe('{"token":2}');
});
