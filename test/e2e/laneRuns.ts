import type { TestDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import { type Planned, requirementsFor } from './plannedTasks.ts';

export const TEMPLATE = 'parallel-development@1';

export async function startTasks(daemon: TestDaemon, tasks: readonly Planned[], verify: string[][] = []) {
  const repo = daemon.repo();
  const backend = { planner: 'fake', implementer: 'fake', resolver: 'fake' } as const;
  const request = { template: TEMPLATE, requirements: requirementsFor(tasks), backend, extra: { verify } };
  return { repo, runId: await startRun(daemon, { repo: repo.dir, ...request }) };
}

export async function runTasks(daemon: TestDaemon, tasks: readonly Planned[], verify: string[][] = []) {
  const { repo, runId } = await startTasks(daemon, tasks, verify);
  const events = await drive(daemon, runId, { patienceMs: 200_000 });
  const run = await ended(daemon, runId);
  const files = repo.git('ls-tree', '-r', '--name-only', `devflow/${runId}/main`).split('\n');
  return { repo, runId, events, run, files };
}

/**
 * Green with either of A and B, red with both. Lanes land as they finish, in any order, so each of the two must be able to
 * repair itself: an agent repairs only its own task.
 */
export const COLLIDES = '! { grep -rqs BROKEN src/A && grep -rqs BROKEN src/B; }';

export const BROKEN = ['Scenario: broken'];

export const COLLIDING: Planned[] = [{ id: 'A', words: BROKEN }, { id: 'B', words: BROKEN }, { id: 'C' }];
