import { readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changeOf, stampCheckout } from '../../../../daemon/repository/checkout/checkoutStamp.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  repo.commit({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  repo.write({ 'mine.txt': 'mine\n' });
  return repo;
}

/** What changed in the checkout while `act` ran. */
async function during(repo: ReturnType<typeof given>, act: () => void) {
  const before = await stampCheckout(repo.dir);
  act();
  const after = await stampCheckout(repo.dir);
  if (!before || !after) throw new TypeError('the checkout can be compared');
  return changeOf(before, after);
}

test('a checkout that nobody touched has not changed, and git finds its index as it was', async () => {
  const repo = given();
  // A later look of git's own would write these times into the index.
  utimesSync(join(repo.dir, 'a.txt'), new Date(), new Date());
  const index = () => readFileSync(join(repo.dir, '.git', 'index'));
  const before = index();
  expect(await during(repo, () => {})).toBeUndefined();
  expect(index().equals(before)).toBe(true);
});

test('names files that are new, changed, changed again, or gone', async () => {
  const repo = given();
  const write = (path: string, text: string) => () => repo.write({ [path]: text });
  const paths = async (act: () => void) => (await during(repo, act))?.paths;
  expect(await paths(write('new.txt', 'new\n'))).toEqual(['new.txt']);
  expect(await paths(write('a.txt', 'changed\n'))).toEqual(['a.txt']);
  expect(await paths(write('mine.txt', 'mine, and more\n'))).toEqual(['mine.txt']);
  expect(await paths(() => rmSync(join(repo.dir, 'b.txt')))).toEqual(['b.txt']);
  expect(await paths(() => repo.git('checkout', '-q', '--', 'a.txt'))).toEqual(['a.txt']);
  expect(await paths(write('dir/x.txt', 'x\n'))).toEqual(['dir/']);
});

test('says that another commit is checked out, but not that its files changed', async () => {
  const repo = given();
  expect(await during(repo, () => repo.commit({ 'a.txt': 'other\n' }))).toEqual({ paths: [], headMoved: true });
});

test('does not compare what has no checkout', async () => {
  const repo = given();
  repo.git('clone', '-q', '--bare', repo.dir, join(repo.root, 'bare.git'));
  expect(await stampCheckout(join(repo.root, 'bare.git'))).toBeUndefined();
  expect(await stampCheckout(join(repo.root, 'gone'))).toBeUndefined();
});
