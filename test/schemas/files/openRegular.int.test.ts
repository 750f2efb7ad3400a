import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRegular, openToAppend, readOpened, readRegular } from '../../../schemas/files/openRegular.ts';

const MOST = 1024 * 1024;

function given() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-open-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return { directory, path: join(directory, 'file') };
}

async function makeSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

describe('readRegular', () => {
  it('reads a regular file', () => {
    const { path } = given();
    writeFileSync(path, 'text');
    expect(readRegular(path, MOST)).toEqual({ ok: true, bytes: Buffer.from('text') });
    expect(readRegular(path, 4).ok).toBe(true);
  });

  const NOT_REGULAR = 'this is not a regular file';
  it.each<[string, (path: string) => void | Promise<void>, string]>([
    ['a pipe without a writer', (path) => void execFileSync('mkfifo', [path]), NOT_REGULAR],
    ['a socket', makeSocket, NOT_REGULAR],
    ['a directory', (path) => void mkdirSync(path), NOT_REGULAR],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'the file is a link'],
    ['a link to a file', (path) => symlinkSync('/etc/passwd', path), 'the file is a link'],
    ['a link to itself', (path) => symlinkSync('file', path), 'the file is a link'],
    [
      'a huge sparse file',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 42);
      },
      `the file is larger than ${MOST} bytes`,
    ],
  ])('refuses %s', async (_, make, fault) => {
    const { path } = given();
    await make(path);
    expect(readRegular(path, MOST)).toMatchObject({ ok: false, missing: false, fault });
  });

  it.each([
    ['a device', '/dev/zero'],
    ['a pipe', 'pipe'],
  ])('refuses %s also where it may follow a link', (_, target) => {
    const { directory, path } = given();
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    symlinkSync(target, path);
    expect(readRegular(path, MOST, { follow: true })).toMatchObject({ ok: false, fault: NOT_REGULAR });
  });

  it('says that a file is missing', () => {
    expect(readRegular(given().path, MOST)).toMatchObject({ ok: false, missing: true });
  });

  it('refuses a file that grows past the limit after it was opened', () => {
    const { path } = given();
    writeFileSync(path, 'a'.repeat(10));
    const opened = openRegular(path);
    appendFileSync(path, 'a');
    expect(readOpened(opened, 10)).toMatchObject({ ok: false, fault: 'the file is larger than 10 bytes' });
  });

  it('reads the opened file, not a new one of its name', () => {
    const { path } = given();
    writeFileSync(path, 'mine');
    const opened = openRegular(path);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(readOpened(opened, MOST)).toMatchObject({ bytes: Buffer.from('mine') });
  });
});

describe('openToAppend', () => {
  it('makes the file, and appends to it', () => {
    const { path } = given();
    for (const _ of [1, 2]) {
      const fd = openToAppend(path);
      appendFileSync(fd, 'x');
      closeSync(fd);
    }
    expect(readFileSync(path, 'utf8')).toBe('xx');
  });

  it('neither follows a link nor waits for the reader of a pipe', () => {
    const { directory, path } = given();
    symlinkSync('target', path);
    expect(() => openToAppend(path)).toThrow('ELOOP');
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => openToAppend(pipe)).toThrow('ENXIO');
    const reader = openSync(pipe, 'r+');
    onTestFinished(() => closeSync(reader));
    expect(() => openToAppend(pipe)).toThrow('is not a regular file');
  });
});
