import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { startRun } from '../helpers/drive.ts';
import { payloads } from './support.ts';

export const backendOf = (roles: readonly string[]) => Object.fromEntries(roles.map((role) => [role, 'fake' as const]));

/** What the fake implementer writes. */
export const FILE = 'fake/implement-1.md';

export async function startReviewed(daemon: TestDaemon, words: readonly string[], verify: string[][] = []) {
  const repo = daemon.repo();
  const requirements = ['Make it better.', ...words].join('\n');
  const backend = backendOf(['implementer', 'reviewer', 'verifier']);
  const request = { template: 'quick-change@2', requirements, backend, extra: { verify } };
  return { repo, runId: await startRun(daemon, { repo: repo.dir, ...request }) };
}

export const reasons = (events: readonly EventView[]) =>
  payloads(events, 'iteration.started').map(({ reason }) => reason);

export const asked = (events: readonly EventView[]) =>
  payloads(events, 'approval.requested').map(({ gateKey }) => gateKey);
