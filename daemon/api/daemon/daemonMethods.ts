import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { openRpcDocument } from '../../../schemas/rpc/methods/openrpc.ts';
import { checkPolicy } from '../../policy/policy.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { readStatus, type StatusParts } from './status.ts';

type DoctorResult = Promise<RpcResult<'daemon.doctor'>>;

export interface DaemonParts extends StatusParts {
  /** Begins the graceful stop and returns. */
  stop(): void;
  doctor: {
    check(options: { strict: boolean; cwd?: string }): DoctorResult;
    listOrphans(): DoctorResult;
    tryAgents(): DoctorResult;
    removeOrphanedData(confirmed: readonly string[]): DoctorResult;
  };
}

/** The daemon itself, and what it answers without looking at a run. */
export function createDaemonMethods(parts: DaemonParts): HandlersOf<'daemon' | 'rpc' | 'policy'> {
  const { version, stop, doctor } = parts;
  return {
    'daemon.status': (asked) => readStatus(parts, asked),
    'daemon.stop': (_params, call) => {
      call.afterReply(stop);
      return { stopping: true, pid: process.pid };
    },
    'daemon.doctor': ({ strict, listOrphans, agents, removeOrphanedData, confirmed, cwd }) => {
      if (removeOrphanedData) return doctor.removeOrphanedData(confirmed);
      if (agents) return doctor.tryAgents();
      return listOrphans ? doctor.listOrphans() : doctor.check({ strict, cwd });
    },
    'rpc.discover': () => openRpcDocument(version),
    'policy.check': ({ argv }) => checkPolicy(argv),
  };
}
