import type { Logger } from 'pino';
import { DevflowError } from '../../schemas/errors.ts';
import { isId } from '../../schemas/ids.ts';
import type { RefusedDecision } from '../../schemas/rpc/views/approval.ts';
import type { Ids } from '../api/lookup/ids.ts';
import type { CallGuard } from '../rpc/handlers.ts';
import type { RunningAgent } from '../sessions/contract/managerContract.ts';
import { agentBehind, unknownBecause } from './agentBehind.ts';
import { type ReadProcess, readChain, readProcess } from './processChain.ts';
import { createRefusals, type Refusals } from './refusals.ts';

/** On other systems devflow cannot find out which process is at the other end of a socket. */
const CAN_TELL = process.platform === 'linux' || process.platform === 'darwin';
const NO_PROGRAM = 'neither perl nor python3 could name the program';
const GONE = 'the program has ended, or the system was too slow';

/** Refuses agents the calls that only a person may make. */
export interface AgentGuard extends CallGuard {
  /** The newest decisions of agents at this gate, all refused. */
  refusedAt(approvalId: string): RefusedDecision[];
}

export interface AgentGuardParts {
  ids: Pick<Ids, 'approval' | 'session' | 'run'>;
  running(): readonly RunningAgent[];
  /** True if the log of the run, or of the session's run, holds facts that no agent may know. */
  isSecret(id: string): boolean;
  log: Pick<Logger, 'warn'>;
  /** Where refused decisions are kept. Default: its own. */
  refusals?: Refusals;
  /** Default: asks the system. */
  read?: ReadProcess;
}

/** Looks at the process that calls, and at its parents. It also refuses a caller that it cannot tell from an agent. */
export function createAgentGuard(parts: AgentGuardParts): AgentGuard {
  const { ids, running, isSecret, log, refusals = createRefusals(), read = readProcess } = parts;

  async function findAgent(pid: number): Promise<Found | undefined> {
    const chain = readChain(pid, read);
    const ours = new Set<string>();
    for (const mark of new Set(chain.processes.flatMap(({ marks }) => marks))) {
      if (await isOurs(ids.session, mark)) ours.add(mark);
    }
    const terminals = running().map(({ sessionId, pid }) => ({ sessionId, pid, terminal: terminalOf(pid, read) }));
    const agents = terminals.map((agent) => ({ ...agent, terminal: agent.terminal ?? 0 }));
    const sessionId = agentBehind(chain.processes, agents, (mark) => ours.has(mark));
    if (sessionId !== undefined) return { sessionId };
    for (const command of new Set(chain.processes.flatMap(({ commands }) => commands))) {
      for (const part of command.split('/').filter(isId)) if (await isOurs(ids.run, part)) return { command };
    }
    const unseen = terminals.find(({ terminal }) => terminal === undefined);
    const unknown = unknownBecause(chain) ?? (unseen && `process ${unseen.pid} could not be read`);
    return unknown === undefined ? undefined : { unknown };
  }

  async function note(approval: string, decision: RefusedDecision): Promise<void> {
    const found = await ids.approval(approval).catch(() => undefined);
    if (found) refusals.note(found.approvalId, decision);
  }

  const check: CallGuard['check'] = async (method, params, peer) => {
    const pid = await peer.processId();
    if (pid === undefined && !CAN_TELL) return;
    const found = pid ? await findAgent(pid) : { unknown: pid === 0 ? GONE : NO_PROGRAM };
    if (found === undefined) return;
    if ('unknown' in found) {
      log.warn({ method, pid, why: found.unknown }, 'refused a call: an agent may have made it');
      throw cannotTell(found.unknown);
    }
    if ('command' in found) {
      const { command } = found;
      log.warn({ method, pid, command }, 'refused a call from a command of a run: only a person may make it');
      throw mayNot(`${method} was refused because a command that devflow runs called it (${command}).`, {
        method,
        command,
      });
    }
    const { sessionId } = found;
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
  };

  return {
    check,
    async checkReader(method, params, peer) {
      const { runId, approvalId, sessionId } = params;
      const about = [
        typeof runId === 'string' ? await ids.run(runId) : undefined,
        typeof approvalId === 'string' ? (await ids.approval(approvalId)).runId : undefined,
        typeof sessionId === 'string' ? await ids.session(sessionId) : undefined,
      ];
      if (about.some((id) => id !== undefined && isSecret(id))) await check(method, params, peer);
    },
    refusedAt: refusals.at,
  };
}

type Found = { sessionId: string } | { command: string } | { unknown: string };

/** False if the database does not have the id. Any other error passes, so that nobody is let through by mistake. */
async function isOurs(resolve: (ref: string) => Promise<string>, mark: string): Promise<boolean> {
  try {
    return (await resolve(mark)) === mark;
  } catch (error) {
    if (error instanceof DevflowError && ['not_found', 'ambiguous_id'].includes(error.code)) return false;
    throw error;
  }
}

/** 0 for an agent that has ended, undefined for one that could not be read. */
function terminalOf(pid: number, read: ReadProcess): number | undefined {
  const facts = read(pid);
  if (facts === 'failed') return undefined;
  return typeof facts === 'string' ? 0 : facts.terminal;
}

function cannotTell(why: string): DevflowError {
  const recoveryHint =
    why === NO_PROGRAM
      ? 'Install perl or python3 where the daemon finds it.'
      : "Run devflow in a terminal of yours outside the agents' panes, not with sudo or env -i, and try again.";
  return new DevflowError('agent_may_not_decide', `devflow cannot tell whether an agent called: ${why}.`, {
    recoveryHint,
  });
}

function mayNot(message: string, data: Record<string, unknown>): DevflowError {
  return new DevflowError('agent_may_not_decide', message, { data });
}
