import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SETUP_GATE } from '../../schemas/gates/ownGates.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../helpers/drive.ts';
import type { TestRepo } from '../helpers/testRepo.ts';
import { TEMPLATE } from './laneRuns.ts';
import { type Planned, requirementsFor } from './plannedTasks.ts';

/** Makes `node_modules` for the lock file of the worktree, and notes where it ran, and how many lines that file has. */
export const INSTALL = [
  'mkdir -p node_modules',
  'cp package-lock.json node_modules/lock',
  'echo "$DEVFLOW_LANE $(grep -c . package-lock.json)" >> "$RAN"',
].join(' && ');

/** Passes where the worktree is set up for its own lock file, and got the ignored file of the checkout. */
export const IS_SET_UP = ['sh', '-c', 'cmp -s package-lock.json node_modules/lock && test -f .env.local'];

/** The settings of a repository, with commands in a shell. */
export function settingsOf(worktree: Record<string, unknown>): string {
  return JSON.stringify({ worktree });
}

/** A repository whose tests pass only in a worktree that is set up. */
export function installedRepo(daemon: TestDaemon, worktree: Record<string, unknown> = {}) {
  const repo = daemon.repo();
  const ran = join(daemon.root, 'ran');
  const setup = [['sh', '-c', INSTALL]];
  const settings = { copy: ['.env.local'], setup, again: ['package-lock.json'], ports: ['PORT'], env: { RAN: ran } };
  repo.write({
    '.gitignore': 'node_modules/\n.env.local\n',
    'package-lock.json': '1\n',
    'devflow.yaml': settingsOf({ ...settings, ...worktree }),
  });
  commitAll(repo);
  repo.write({ '.env.local': 'TOKEN=not-a-real-secret-token\n' });
  return { repo, ran: () => (existsSync(ran) ? readFileSync(ran, 'utf8').trimEnd().split('\n') : []) };
}

export function commitAll(repo: TestRepo): void {
  repo.git('add', '--all');
  repo.git('-c', 'user.name=Ada', '-c', 'user.email=ada@localhost', 'commit', '-qm', 'Files');
}

/** A run in lanes, whose checks pass only where the worktree is set up. */
export function startInLanes(daemon: TestDaemon, repo: TestRepo, words: string[] = []): Promise<string> {
  const checks = [{ argv: IS_SET_UP }];
  const tasks: Planned[] = [
    { id: 'A', checks, words },
    { id: 'B', checks },
  ];
  const backend = { planner: 'fake', implementer: 'fake', resolver: 'fake' } as const;
  const request = { template: TEMPLATE, requirements: requirementsFor(tasks), backend, extra: { verify: [IS_SET_UP] } };
  return startRun(daemon, { repo: repo.dir, ...request, allowSetup: true });
}

/** Drives a run to its gate `setup_failed`, and returns what the commands say about it. */
export async function toSetupGate(daemon: TestDaemon, runId: string) {
  let asked: Asked | undefined;
  const isGate = ({ type, payload }: EventView) => {
    if (type !== 'approval.requested' || payload.gateKey !== SETUP_GATE) return false;
    asked = payload as unknown as Asked;
    return true;
  };
  await drive(daemon, runId, { decide: () => undefined, stopAt: isGate, patienceMs: 200_000 });
  const { approvalRequestId: id = '', subject = {} } = asked ?? {};
  const listed = (await daemon.cli(['approval', 'list'])).stdout.split('\n').find((line) => line.includes(SETUP_GATE));
  expect(listed).toContain(id.slice(0, 8));
  const shown = (await daemon.cli(['approval', 'show', id])).stdout;
  return { subject, shown, decide: (action: 'approve' | 'reject' | 'abort') => daemon.cli(['approval', action, id]) };
}
