import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { recallOwnPorts } from '../../../../daemon/engine/performers/setUpPlace.ts';
import { choosePorts, keepPorts, returnPorts } from '../../../../daemon/setup/choosePorts.ts';
import { evaluationPlace, integrationPath } from '../../../../schemas/files/runPaths.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

test.each([
  ['checks', integrationPath],
  ['measurements', (root: string, id: string) => evaluationPlace(root, id).worktree],
])('after a restart the ports of the worktree of %s are taken', async (_, pathOf) => {
  const { root, cleanup } = scratchRepo();
  onTestFinished(cleanup);
  const [path, gitDir] = [pathOf(root, 'run'), join(root, 'git')];
  mkdirSync(path, { recursive: true });
  mkdirSync(gitDir);
  const ports = await keepPorts({ path, gitDir }, ['PORT']);
  // Another process knows nothing of them.
  returnPorts(ports);
  const others = Array.from({ length: 10_000 }, (_each, nth) => 20_000 + nth).filter((port) => port !== ports.PORT);
  recallOwnPorts([{ id: 'run', workspaceRoot: root } as Run]);
  await expect(choosePorts(['OTHER'], others)).rejects.toMatchObject({ code: 'no_free_port' });
  returnPorts(ports);
  writeFileSync(join(path, '..', '.kept', path.split('/').at(-1) ?? '', 'setup.json'), '{');
  recallOwnPorts([{ id: 'run', workspaceRoot: root } as Run]);
  expect(await choosePorts(['OTHER'], others)).toEqual({ OTHER: ports.PORT });
  returnPorts(ports);
});
