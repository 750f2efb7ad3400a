import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeInside, readInside, writeInside } from '../../../schemas/files/insideRoot.ts';

const MOST = 1024;

function given() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-inside-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [root, outside] = [join(directory, 'root'), join(directory, 'outside')];
  for (const each of [root, outside]) mkdirSync(each);
  return { root, outside };
}

/** One process, whose end is the end of all changes. What devflow wrote in place of the directory goes. */
const SWAP = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs');
  const attempt = (act) => { try { act(); } catch {} };
  for (;;) {
    attempt(() => renameSync('dir', 'kept'));
    attempt(() => symlinkSync('../outside', 'dir'));
    attempt(() => rmSync('dir', { recursive: true }));
    attempt(() => renameSync('kept', 'dir'));
  }`;

describe('files below a root', () => {
  it('are written with their directories, and read', () => {
    const { root } = given();
    expect(writeInside(root, 'a/b/c.json', '{}', 0o400)).toEqual({ ok: true });
    expect(readInside(root, 'a/b/c.json', MOST)).toEqual({ ok: true, bytes: Buffer.from('{}') });
    expect(statSync(join(root, 'a/b/c.json')).mode & 0o777).toBe(0o400);
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.json']);
  });

  it('are reached through a root that is itself a link', () => {
    const { root, outside } = given();
    symlinkSync(root, join(outside, 'link'));
    writeInside(join(outside, 'link'), 'a/b', 'x');
    expect(readFileSync(join(root, 'a/b'), 'utf8')).toBe('x');
  });

  it.each(['a', 'a/b', 'a/b/c'])('does not follow a link at %s', (place) => {
    const { root, outside } = given();
    mkdirSync(join(root, place, '..'), { recursive: true });
    symlinkSync(outside, join(root, place));
    mkdirSync(join(outside, 'b', 'c'), { recursive: true });
    for (const name of ['d', 'b/d', 'b/c/d']) writeFileSync(join(outside, name), 'secret');
    const fault = { ok: false, fault: `the directory ${place} is a link` };
    expect(readInside(root, 'a/b/c/d', MOST)).toMatchObject(fault);
    expect(writeInside(root, 'a/b/c/d', 'x')).toMatchObject(fault);
    expect(makeInside(root, 'a/b/c/new')).toMatchObject(fault);
    expect(readdirSync(outside).sort()).toEqual(['b', 'd']);
    expect(readFileSync(join(outside, 'b/c/d'), 'utf8')).toBe('secret');
  });

  it('creates no directory at the target of a dangling link', () => {
    const { root, outside } = given();
    symlinkSync(join(outside, 'new'), join(root, 'a'));
    expect(makeInside(root, 'a/b')).toMatchObject({ fault: 'the directory a is a link' });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('replaces a link at the place of the file, and leaves its target', () => {
    const { root, outside } = given();
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(root, 'file'));
    expect(writeInside(root, 'file', 'mine')).toEqual({ ok: true });
    expect(lstatSync(join(root, 'file')).isFile()).toBe(true);
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  it('reports a file in place of a directory, or the reverse', () => {
    const { root } = given();
    writeFileSync(join(root, 'a'), '');
    mkdirSync(join(root, 'd', 'full'), { recursive: true });
    expect(makeInside(root, 'a/b')).toMatchObject({ fault: 'a is not a directory' });
    expect(writeInside(root, 'd', 'x')).toMatchObject({ ok: false, code: 'EISDIR' });
    expect(readdirSync(root).sort()).toEqual(['a', 'd']);
  });

  it.each(['../x', 'a/../../x', '/x', '', '.'])('a path that leads out is refused: "%s"', (path) => {
    expect(() => readInside(given().root, path, MOST)).toThrow('no path below a root');
  });

  it('never leaves the root while a directory is swapped with a link', async () => {
    const { root, outside } = given();
    writeFileSync(join(outside, 'file'), 'secret');
    mkdirSync(join(root, 'dir'));
    writeFileSync(join(root, 'dir', 'file'), 'mine');
    const swapper = spawn(process.execPath, ['-e', SWAP], { cwd: root, stdio: 'ignore' });
    onTestFinished(async () => {
      const ended = once(swapper, 'exit');
      swapper.kill('SIGKILL');
      await ended;
    });
    await once(swapper, 'spawn');
    await expect.poll(() => existsSync(join(root, 'kept'))).toBe(true);
    const seen = new Set<string>();
    for (let turn = 0; turn < 300; turn += 1) {
      const read = readInside(root, 'dir/file', MOST);
      if (read.ok) seen.add(read.bytes.toString());
      writeInside(root, 'dir/written', 'mine');
      makeInside(root, 'dir/made');
    }
    expect([...seen].filter((text) => text !== 'mine')).toEqual([]);
    expect(readdirSync(outside)).toEqual(['file']);
  });
});
