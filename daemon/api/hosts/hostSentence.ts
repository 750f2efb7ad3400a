import { duration } from '../../../schemas/duration.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { HostRow } from '../../store/hosts.ts';

/** What is wrong with a host, as the end of a sentence. */
export function hostTrouble({ state, silentMs }: Pick<HostRow, 'state' | 'silentMs'>): string {
  return state === 'stopped' ? 'devflow is stopped there' : `silent for ${duration(silentMs)}`;
}

export function hostUnreachable(host: HostRow): DevflowError {
  return new DevflowError('host_unreachable', `Host ${host.id} does not answer: ${hostTrouble(host)}.`, {
    data: { host: host.id, state: host.state, lastSeenAt: host.lastSeenAt },
  });
}

/** What is wrong with each host that does not answer. */
export function troublesOf(listHosts: () => Promise<HostRow[]>): () => Promise<Map<string, string>> {
  return async () => {
    const gone = (await listHosts()).filter(({ state }) => state !== 'ready');
    return new Map(gone.map((host) => [host.id, hostTrouble(host)]));
  };
}
