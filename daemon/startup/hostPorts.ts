import { type HostAnswer, resultOf } from '../../schemas/rpc/hostAnswer.ts';
import type { HostPorts } from '../api/hosts/route.ts';
import type { Here } from '../core/run/place.ts';
import type { Database } from '../db/database.ts';
import { listHosts, readHostOfRun } from '../store/hosts.ts';

/** How the methods reach other hosts: the engine carries the questions, and the leases say who is there. */
export function hostPorts(
  { askHost }: { askHost(hostId: string, method: string, params: unknown): Promise<unknown> },
  here: Here,
  { pool }: Pick<Database, 'pool'>,
): HostPorts {
  return {
    here,
    askHost: async (...question) => resultOf((await askHost(...question)) as HostAnswer),
    listHosts: () => listHosts(pool),
    readHostOfRun: (runId) => readHostOfRun(pool, runId),
  };
}
