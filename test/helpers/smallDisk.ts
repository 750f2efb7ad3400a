import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  path: string;
  /** Fills every free block. */
  fill(): void;
  free(): void;
  /** Makes the file system read-only until `unlock`. No file may be open for writing. */
  lock(): void;
  unlock(): void;
}

/** A file system of 8 MB; undefined if this user may not mount one. Make it before the daemon that uses it. */
export function smallDisk(): SmallDisk | undefined {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-disk-')));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0711', 'devflow-test', path], { stdio: 'pipe' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  onTestFinished(() => {
    execFileSync('umount', [path]);
    rmdirSync(path);
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
    },
    free: () => rmSync(filler),
    lock: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
    unlock: () => void execFileSync('mount', ['-o', 'remount,rw', path]),
  };
}
