import { DevflowError } from '../../../schemas/errors.ts';
import { duration } from '../../../schemas/time/duration.ts';
import type { HostRow } from '../../store/hosts.ts';

/** The fault of a host, as the end of a sentence. */
export function hostTrouble({ state, silentMs }: Pick<HostRow, 'state' | 'silentMs'>): string {
  return state === 'stopped' ? 'devflow is stopped there' : `silent for ${duration(silentMs)}`;
}

export function hostUnreachable(host: HostRow): DevflowError {
  return new DevflowError('host_unreachable', `Host ${host.id} does not answer: ${hostTrouble(host)}.`, {
    data: { host: host.id, state: host.state, lastSeenAt: host.lastSeenAt },
  });
}

/** The facts about hosts that lists and details of runs show. */
export interface HostOverview {
  /** True if the database knows a host besides this one. */
  hasOthers: boolean;
  /** The fault of each host that does not answer. */
  troubles: ReadonlyMap<string, string>;
}

export function hostOverviewOf(listHosts: () => Promise<HostRow[]>): () => Promise<HostOverview> {
  return async () => {
    const hosts = await listHosts();
    const gone = hosts.filter(({ state }) => state !== 'ready');
    return { hasOthers: hosts.length > 1, troubles: new Map(gone.map((host) => [host.id, hostTrouble(host)])) };
  };
}
