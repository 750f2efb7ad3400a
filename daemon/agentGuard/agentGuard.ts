import type { Logger } from 'pino';
import { DevflowError } from '../../schemas/errors.ts';
import type { RefusedDecision } from '../../schemas/rpc/views/approval.ts';
import type { Ids } from '../api/lookup/ids.ts';
import type { CallGuard } from '../rpc/handlers.ts';
import type { RunningAgent } from '../sessions/contract/managerContract.ts';
import { type AgentProcess, agentBehind } from './agentBehind.ts';
import { readChain, readProcess } from './processChain.ts';

/** How many refused decisions it keeps per gate. */
const KEPT = 20;

/** Refuses agents the calls that only a person may make. */
export interface AgentGuard extends CallGuard {
  /** The newest decisions of agents at this gate, all refused. */
  refusedAt(approvalId: string): RefusedDecision[];
}

export interface AgentGuardParts {
  ids: Pick<Ids, 'approval' | 'session'>;
  running(): readonly RunningAgent[];
  log: Pick<Logger, 'warn'>;
}

/** Looks at the process that calls, and at its parents. */
export function createAgentGuard({ ids, running, log }: AgentGuardParts): AgentGuard {
  /** Kept in memory. After a restart, only the log has them. */
  const refused = new Map<string, RefusedDecision[]>();

  async function findAgent(pid: number): Promise<string | undefined> {
    const chain = readChain(pid);
    if (chain.length === 0) throw unknown();
    const ours = new Set<string>();
    for (const mark of new Set(chain.flatMap(({ marks }) => marks))) {
      if ((await ids.session(mark).catch(() => undefined)) === mark) ours.add(mark);
    }
    return agentBehind(chain, running().map(withTerminal), (sessionId) => ours.has(sessionId));
  }

  async function note(approval: string, decision: RefusedDecision): Promise<void> {
    const found = await ids.approval(approval).catch(() => undefined);
    if (found) refused.set(found.approvalId, [...(refused.get(found.approvalId) ?? []), decision].slice(-KEPT));
  }

  return {
    async check(method, params, peer) {
      const pid = await peer.processId();
      const sessionId = pid === undefined ? undefined : await findAgent(pid);
      if (sessionId === undefined) return;
      const roleId = running().find((each) => each.sessionId === sessionId)?.roleId ?? null;
      const action = typeof params.action === 'string' ? params.action : null;
      log.warn(
        { sessionId, role: roleId, method, action, pid },
        'refused a call from an agent: only a person may make it',
      );
      const at = new Date().toISOString();
      if (typeof params.approvalId === 'string') await note(params.approvalId, { sessionId, roleId, action, at });
      const who = roleId === null ? `session ${sessionId}` : `${roleId} (session ${sessionId})`;
      throw mayNot(`${method} was refused because the agent of ${who} called it.`, { sessionId, method });
    },
    refusedAt: (approvalId) => refused.get(approvalId) ?? [],
  };
}

function withTerminal({ sessionId, pid }: RunningAgent): AgentProcess {
  return { sessionId, pid, terminal: readProcess(pid)?.terminal ?? 0 };
}

function unknown(): DevflowError {
  const message = 'devflow cannot tell which program called: it has ended, or the system was too slow.';
  return new DevflowError('agent_may_not_decide', message, {
    recoveryHint: 'Try again and keep the connection open until the answer arrives.',
  });
}

function mayNot(message: string, data: Record<string, unknown>): DevflowError {
  return new DevflowError('agent_may_not_decide', message, { data });
}
