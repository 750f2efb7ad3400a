import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readArtifact } from '../../../daemon/artifacts/storedArtifact.ts';
import { type FileWait, waitForFile } from '../../../daemon/artifacts/waitForFile.ts';
import { systemClock } from '../../../daemon/system/clock.ts';
import { until } from '../../helpers/until.ts';

function given(deadlineMs?: number, more: Partial<FileWait> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-wait-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, 'artifacts', 'a.json');
  const deadline = deadlineMs === undefined ? undefined : new Date(Date.now() + deadlineMs);
  const { signal, abort } = abortable();
  return {
    root,
    path,
    abort,
    wait: () => waitForFile({ path, root, deadline, debounceMs: 100, clock: systemClock, signal, ...more }),
  };
}

function abortable() {
  const control = new AbortController();
  return { signal: control.signal, abort: () => control.abort(new Error('let go')) };
}

describe('waitForFile', () => {
  it('finds a file that appears and stops changing', async () => {
    const { path, wait } = given(60_000);
    const found = wait();
    // Writes for longer than the debounce time, with shorter breaks.
    const begun = Date.now();
    await until('it has been written for a while', () => {
      writeFileSync(path, 'x');
      return Date.now() - begun > 200;
    });
    expect(await found).toBe('rested');
  });

  it('finds a file that exists after the deadline', async () => {
    const { path, wait } = given(-60_000);
    expect(await wait()).toBeUndefined();
    writeFileSync(path, 'x');
    expect(await wait()).toBe('rested');
  });

  it('without a deadline waits for the file or the signal', async () => {
    const { path, wait, abort } = given();
    const found = wait();
    await expect.poll(() => existsSync(dirname(path))).toBe(true);
    writeFileSync(path, 'x');
    expect(await found).toBe('rested');
    rmSync(path);
    const waiting = wait();
    abort();
    await expect(waiting).rejects.toThrow('let go');
    await expect(wait()).rejects.toThrow('let go');
  });

  it('times out for a file that never stops changing', async () => {
    // Longer than this process may stand still on a busy machine: a pause of its writes is a file at rest.
    const { path, wait } = given(50, { debounceMs: 400 });
    let isOver = false;
    const found = wait().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      writeFileSync(path, 'x');
      await turn();
    }
    expect(await found).toBeUndefined();
  });

  it('finds a file in a directory that was removed and made again', async () => {
    const { root, path, wait } = given(60_000);
    const found = wait();
    await expect.poll(() => existsSync(dirname(path))).toBe(true);
    // Twice, and the second time by a whole new parent, so that a watch on the first directory is of no use.
    for (const old of ['old-1', 'old-2']) {
      renameSync(dirname(path), join(root, old));
      await expect.poll(() => existsSync(dirname(path))).toBe(true);
    }
    rmSync(dirname(path), { recursive: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    expect(await found).toBe('rested');
  });

  it('does not wait until the file rests once its writer has ended, but for a change after that', async () => {
    const listeners = new Set<() => void>();
    let endedAt: number | undefined;
    const writer: FileWait['writer'] = {
      endedAt: async () => endedAt,
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const { path, wait, abort } = given(undefined, { debounceMs: 10 * 60_000, writer });
    const found = wait();
    await expect.poll(() => existsSync(dirname(path))).toBe(true);
    writeFileSync(path, 'x');
    await expect.poll(() => listeners.size).toBe(1);
    const ends = (at: number) => {
      endedAt = at;
      for (const listener of listeners) listener();
    };
    ends(statSync(path).mtimeMs - 1);
    expect(await Promise.race([found, turn('not yet')])).toBe('not yet');
    ends(statSync(path).mtimeMs);
    expect(await found).toBe('ended');
    expect(listeners.size).toBe(0);
    writeFileSync(path, 'changed');
    utimesSync(path, new Date(), new Date());
    const again = wait();
    await expect.poll(() => listeners.size).toBe(1);
    expect(await Promise.race([again, turn('not yet')])).toBe('not yet');
    abort();
    await expect(again).rejects.toThrow('let go');
  });

  it('does not take an older file that is moved there after its writer has ended', async () => {
    let endedAt = 0;
    const ended = Promise.withResolvers<void>();
    const writer: FileWait['writer'] = {
      endedAt: async () => endedAt,
      listen: () => {
        ended.resolve();
        return () => {};
      },
    };
    const { root, path, wait, abort } = given(undefined, { debounceMs: 10 * 60_000, writer });
    const found = wait();
    await expect.poll(() => existsSync(dirname(path))).toBe(true);
    const draft = join(root, 'draft');
    writeFileSync(draft, 'x');
    endedAt = statSync(draft).mtimeMs;
    // The clock of files has steps of some milliseconds.
    await expect.poll(() => statSync(mkdtempSync(join(root, 'later-'))).mtimeMs).toBeGreaterThan(endedAt);
    renameSync(draft, path);
    await ended.promise;
    expect(await Promise.race([found, turn('not yet')])).toBe('not yet');
    abort();
    await expect(found).rejects.toThrow('let go');
  });

  it('resolves for a link to itself, whose fault the reader reports', async () => {
    const { path, wait } = given(300);
    await wait();
    symlinkSync('a.json', path);
    expect(await wait()).toBe('rested');
  });
});

it('makes no directory through a link, whose fault the reader reports', async () => {
  const { root, path, wait } = given(60_000);
  mkdirSync(join(root, 'outside'));
  symlinkSync(join(root, 'outside', 'new'), dirname(path));
  expect(await wait()).toBe('rested');
  expect(existsSync(join(root, 'outside', 'new'))).toBe(false);
  expect(await readArtifact(path, root)).toEqual({ ok: false, fault: 'the directory artifacts is a link' });
});
