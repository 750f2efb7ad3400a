import { type Here, hostOf } from '../../engine/core/run/place.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { HostRow } from '../../store/hosts.ts';

export interface HostReads {
  here: Here;
  server: RunEngine['server'];
  listHosts(): Promise<HostRow[]>;
  countOpenRuns(): Promise<Map<string | null, number>>;
}

export function createHostMethods({ here, server, listHosts, countOpenRuns }: HostReads): HandlersOf<'host'> {
  return {
    'host.list': async () => {
      const [hosts, counts] = await Promise.all([listHosts(), countOpenRuns()]);
      const runsOf = (id: string) =>
        [...counts].reduce((sum, [host, runs]) => (hostOf({ host }, here) === id ? sum + runs : sum), 0);
      return hosts.map(({ silentMs: _, ...host }) => {
        const isHere = host.id === here.id;
        const state = isHere && host.state === 'ready' && server()?.away ? 'waiting' : host.state;
        return { ...host, state, here: isHere, runs: runsOf(host.id) };
      });
    },
  };
}
