import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { readProc } from '../../../tmux/process/readProc.ts';

describe.runIf(process.platform === 'linux')('a file of /proc', () => {
  test('is read to its end, in UTF-8', async () => {
    const value = 'ä'.repeat(40_000);
    const child = spawn('sleep', ['100'], { env: { PATH: process.env.PATH, VALUE: value } });
    try {
      await once(child, 'spawn');
      await expect.poll(() => readProc(`${child.pid}/environ`).split('\0')).toContain(`VALUE=${value}`);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('is empty for a process that has ended', () => {
    const pid = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    expect(readProc(`${pid}/stat`)).toBe('');
  });

  test('needs no large buffer', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let nth = 0; nth < 50; nth += 1) readProc('self/stat');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024);
  });
});
