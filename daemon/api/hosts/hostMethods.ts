import { hostOf } from '../../core/run/place.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { type ForgetParts, forgetHost } from './forgetHost.ts';

export interface HostParts extends ForgetParts {
  engine: Pick<RunEngine, 'abortRun' | 'readRun' | 'server'>;
  countOpenRuns(): Promise<Map<string | null, number>>;
}

export function createHostMethods(parts: HostParts): HandlersOf<'host'> {
  const { here, engine, listHosts, countOpenRuns } = parts;
  return {
    'host.list': async () => {
      const [hosts, counts] = await Promise.all([listHosts(), countOpenRuns()]);
      const runsOf = (id: string) =>
        [...counts].reduce((sum, [host, runs]) => (hostOf({ host }, here) === id ? sum + runs : sum), 0);
      return hosts.map(({ silentMs: _, ...host }) => {
        const isHere = host.id === here.id;
        const state = isHere && host.state === 'ready' && engine.server()?.away ? 'waiting' : host.state;
        return { ...host, state, here: isHere, runs: runsOf(host.id) };
      });
    },
    'host.forget': (params) => forgetHost(parts, params),
  };
}
