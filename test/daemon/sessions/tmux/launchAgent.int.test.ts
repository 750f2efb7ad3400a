import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';

const given = useScriptedSessions();

test('says that the worktree is gone, before it starts anything', async () => {
  const { adapter, input } = await given();
  const cwd = join(input.cwd, 'gone');
  await expect(adapter.start({ ...input, cwd })).rejects.toMatchObject({
    code: 'file_system_failed',
    message: expect.stringMatching(/^The worktree of .+ does not exist: .+gone\.$/),
  });
});
