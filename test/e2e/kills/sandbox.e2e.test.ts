import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outsideOf } from '../../../daemon/sandbox/ownPlaces.ts';
import { readEvents, readJournal } from '../../fixtures/scripted/journal.ts';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { makePanes, type Panes, ROLES } from '../../helpers/paneDaemon.ts';
import { proveEnd, scenario } from '../support.ts';

/** What the agents of a run wrote into their own directories. */
function configDirs({ configDir, daemon }: Panes, runId: string): string[] {
  const sessions = join(daemon.workspaceRoot, runId, 'sessions');
  return readdirSync(sessions).map((id) => outsideOf(join(sessions, id)).path(configDir));
}

test.skipIf(noSandboxBecause)(
  'a run in sandboxes goes on after the daemon was killed while an agent worked, and no prompt is sent twice',
  async () => {
    const panes = await makePanes('busy-ms=3000');
    const { daemon } = panes;
    await daemon.start();
    const requirements = scenario();
    const repo = daemon.repo().dir;
    const runId = await startRun(daemon, { repo, backend: ROLES, requirements, sandbox: 'agents' });
    let busy = 0;
    await drive(daemon, runId, { stopAt: ({ type }) => type === 'session.busy' && ++busy === 2 });
    await daemon.kill('SIGKILL');
    await daemon.start();
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    const dirs = configDirs(panes, runId);
    const started = await Promise.all(
      dirs.map(async (dir) => (await readEvents(dir)).filter(({ what }) => what === 'started')),
    );
    expect(started.map(({ length }) => length)).toEqual([1, 1]);
    const journals = await Promise.all(dirs.map((dir) => readJournal(dir)));
    const uuids = journals.flat().flatMap(({ uuids }) => uuids);
    expect(uuids).toHaveLength(3);
    expect(new Set(uuids).size).toBe(3);
  },
);
