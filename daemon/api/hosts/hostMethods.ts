import { type Here, hostOf } from '../../engine/core/run/place.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { HostRow } from '../../store/hosts.ts';

export interface HostReads {
  here: Here;
  listHosts(): Promise<HostRow[]>;
  countOpenRuns(): Promise<Map<string | null, number>>;
}

export function createHostMethods({ here, listHosts, countOpenRuns }: HostReads): HandlersOf<'host'> {
  return {
    'host.list': async () => {
      const [hosts, counts] = await Promise.all([listHosts(), countOpenRuns()]);
      const runsOf = (id: string) =>
        [...counts].reduce((sum, [host, runs]) => (hostOf({ host }, here) === id ? sum + runs : sum), 0);
      return hosts.map(({ silentMs: _, ...host }) => ({ ...host, here: host.id === here.id, runs: runsOf(host.id) }));
    },
  };
}
