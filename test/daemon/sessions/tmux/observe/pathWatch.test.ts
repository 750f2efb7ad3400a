import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPathWatch } from '../../../../../daemon/sessions/tmux/observe/pathWatch.ts';

/** A watch whose owner looks again at each notice, as all owners do. */
function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-watch-'));
  const path = join(root, 'watched');
  const heard = new Set<string | null>();
  const watched = createPathWatch((name) => {
    heard.add(name);
    watched.follow(path);
  });
  onTestFinished(() => {
    watched.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { path, heard, watched, look: () => watched.follow(path) };
}

test('hears of a file in a directory that was removed and made again', async () => {
  const { path, heard, look } = given();
  look();
  mkdirSync(path);
  look();
  rmSync(path, { recursive: true });
  await expect.poll(() => heard.has('watched')).toBe(true);
  mkdirSync(path);
  look();
  writeFileSync(join(path, 'a'), '');
  await expect.poll(() => heard.has('a')).toBe(true);
});

test('hears of a file in a directory that another one replaced', async () => {
  const { path, heard, look } = given();
  mkdirSync(path);
  look();
  mkdirSync(`${path}.new`);
  rmSync(path, { recursive: true });
  renameSync(`${path}.new`, path);
  await expect.poll(() => heard.has('watched')).toBe(true);
  writeFileSync(join(path, 'a'), '');
  await expect.poll(() => heard.has('a')).toBe(true);
});

test('hears of a file that another one replaced, and of what is written to that', async () => {
  const { path, heard, look } = given();
  writeFileSync(path, 'old');
  look();
  writeFileSync(`${path}.new`, '');
  renameSync(`${path}.new`, path);
  // The replacement itself gives fewer notices than this.
  for (let write = 0; write < 8; write += 1) {
    heard.clear();
    appendFileSync(path, 'more');
    await expect.poll(() => heard.has('watched')).toBe(true);
  }
});

test('hears nothing after its end', async () => {
  const { path, heard, watched, look } = given();
  mkdirSync(path);
  watched.close();
  look();
  writeFileSync(join(path, 'a'), '');
  expect(heard).toEqual(new Set());
});
