import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPanes } from '../../../../tmux/panes/panes.ts';
import { spawnRunner } from '../../../../tmux/server/spawnRunner.ts';
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

test('names the window for its run, and nothing in a title is a style', async () => {
  const { adapter, input, server } = await given();
  await adapter.start({ ...input, title: '#[fg=red]##[bg=blue]#(id) Greet a person by name' });
  const names = (await listPanes(spawnRunner(server))).map(({ windowName }) => windowName);
  expect(names).toContain(`${input.roleId}-${input.backend} [fg=red][bg=blue]#(id) …`);
});
