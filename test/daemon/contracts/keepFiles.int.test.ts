import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepFiles } from '../../../daemon/contracts/exchange/keepFiles.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';

test('CS-53 a full disk is not in the way of a file: it is an error of its own', async ({ skip }) => {
  const disk = smallDisk();
  if (!disk) return skip('this user may not mount a tmpfs, so no disk can be filled here');
  const place = { repoPath: disk.path, worktree: disk.path };
  mkdirSync(join(disk.path, 'a.md'));
  disk.fill();
  await expect(keepFiles(place, { 'a.md': 'a\n', 'b.md': 'b\n' })).rejects.toMatchObject({ code: 'ENOSPC' });
  disk.free();
  expect([...(await keepFiles(place, { 'a.md': 'a\n', 'b.md': 'b\n' })).keys()]).toEqual(['a.md']);
  expect(readFileSync(join(disk.path, 'b.md'), 'utf8')).toBe('b\n');
});
