import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { systemFault } from '../../../schemas/errors/systemFault.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';
import { givenSetup, inWorktree } from './given.ts';

const LISTS = { copy: ['.env'], clone: ['node_modules'] };
/** Together more than the disk has. */
const [COUNT, BYTES] = [40, 300_000];

it('leaves no copy in part on a full disk, and does the rest once there is room', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('only root may mount a small disk');
  const names = Array.from({ length: COUNT }, (_, nth) => `node_modules/f${nth}`);
  const at = await givenSetup({ ...Object.fromEntries(names.map((name) => [name, 'x'.repeat(BYTES)])), '.env': 'A=1' });
  const place = { ...at.place('lane-1'), path: join(disk.path, 'lane-1') };
  await addWorktree({ ...place, startCommit: at.base });
  const there = await inWorktree(at.repo.dir, place);
  const before = readdirSync(there.privateGit.path).sort();
  const fails = async () => {
    const error = await there.setUp(LISTS).catch((cause: unknown) => cause);
    expect(systemFault(error)?.code).toBe('disk_full');
    expect(readdirSync(there.privateGit.path).sort()).toEqual(before);
    expect(existsSync(join(disk.path, '.placing'))).toBe(false);
    return systemFault(error)?.message;
  };
  expect(await fails()).toContain('of a copy of node_modules');
  disk.fill();
  await fails();
  disk.free();
  for (const name of names.slice(10)) rmSync(join(at.checkout, name));
  const { placed } = await there.setUp(LISTS);
  expect(placed.map(({ path }) => path)).toEqual(['.env', 'node_modules']);
  expect(readdirSync(there.path('node_modules'))).toHaveLength(10);
});
