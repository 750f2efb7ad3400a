import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { type DriveOptions, drive, startRun } from '../helpers/drive.ts';
import { payloads, proveEnd } from './support.ts';

const ROLES: Record<string, string[]> = {
  pipeline: ['planner', 'implementer', 'reviewer'],
  'dev-cycle': ['ra', 'ep', 'cd', 'vas'],
  autodev: ['engineer'],
};

export async function startFlow(daemon: TestDaemon, template: string, requirements: string, repo = daemon.repo().dir) {
  const name = template.startsWith('autodev-') ? 'autodev' : template;
  const backend = Object.fromEntries((ROLES[name] ?? []).map((role) => [role, 'fake' as const]));
  return startRun(daemon, { repo, template: `${template}@1`, requirements, backend });
}

export async function whole(daemon: TestDaemon, template: string, requirements: string, options: DriveOptions = {}) {
  const runId = await startFlow(daemon, template, requirements);
  await drive(daemon, runId, { patienceMs: 200_000, ...options });
  return proveEnd(daemon, runId, 'completed');
}

export const sentOnce = (events: readonly EventView[]) => {
  const sent = payloads(events, 'prompt.sent').map(({ dedupKey }) => dedupKey);
  return new Set(sent).size === sent.length;
};

export const checkOf = (daemon: TestDaemon, repo: string) => daemon.ask('contract.check', { repo });
