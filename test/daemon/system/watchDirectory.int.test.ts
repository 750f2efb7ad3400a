import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, type watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchDirectory } from '../../../daemon/system/watchDirectory.ts';

function givenRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'devflow-watch-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

it('polls while the system refuses a watch, and stops when it gives one', async () => {
  let refusals = 3;
  let opened = 0;
  let notices = 0;
  const open = (() => {
    if (refusals-- > 0) throw Object.assign(new Error('System limit for number of file watchers'), { code: 'ENOSPC' });
    opened += 1;
    return Object.assign(new EventEmitter(), { close() {} });
  }) as unknown as typeof watch;
  const count = () => {
    notices += 1;
  };
  const watching = await watchDirectory(join(givenRoot(), 'a'), count, { open, lookMs: 5 });
  onTestFinished(() => watching.close());
  await expect.poll(() => opened).toBe(1);
  expect(notices).toBe(4);
});

it('watches again after an error, and reports that it may have missed changes', async () => {
  const opened: EventEmitter[] = [];
  let notices = 0;
  const open = (() => {
    opened.push(Object.assign(new EventEmitter(), { close() {} }));
    return opened.at(-1);
  }) as unknown as typeof watch;
  const count = () => {
    notices += 1;
  };
  const watching = await watchDirectory(join(givenRoot(), 'a'), count, { open });
  onTestFinished(() => watching.close());
  opened[0]?.emit('error', new Error('gone'));
  await expect.poll(() => opened.length).toBe(2);
  await expect.poll(() => notices).toBe(2);
});

it('waits while a file stands where the directory was', async () => {
  const directory = join(givenRoot(), 'a');
  const names: (string | undefined)[] = [];
  const watching = await watchDirectory(directory, (name) => names.push(name), { lookMs: 5 });
  onTestFinished(() => watching.close());
  rmSync(directory, { recursive: true });
  await expect.poll(() => existsSync(directory)).toBe(true);
  rmSync(directory, { recursive: true });
  try {
    writeFileSync(directory, 'in the way', { flag: 'wx' });
  } catch {
    // The directory was made again first: then there is nothing in the way.
  }
  rmSync(directory, { recursive: true, force: true });
  await expect.poll(() => existsSync(directory)).toBe(true);
  await expect
    .poll(() => {
      writeFileSync(join(directory, 'b'), 'x');
      return names.includes('b');
    })
    .toBe(true);
});

it('with make false, creates nothing and resumes when the directory is back', async () => {
  const directory = join(givenRoot(), 'a');
  mkdirSync(directory);
  const notices: (string | undefined)[] = [];
  const watching = await watchDirectory(directory, (name) => notices.push(name), { make: false, lookMs: 5 });
  onTestFinished(() => watching.close());
  renameSync(directory, `${directory}.gone`);
  const before = notices.length;
  // It looks again and again, and nothing has made the directory meanwhile.
  await expect.poll(() => notices.length).toBeGreaterThan(before + 3);
  expect(existsSync(directory)).toBe(false);
  mkdirSync(directory);
  await expect
    .poll(() => {
      writeFileSync(join(directory, 'b'), 'x');
      return notices.includes('b');
    })
    .toBe(true);
});
