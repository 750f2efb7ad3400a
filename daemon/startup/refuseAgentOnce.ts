import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import {
  AGENT_VARIABLE,
  COMMAND_VARIABLE,
  hasMark,
  SESSION_DIRECTORY_VARIABLE,
} from '../../schemas/process/agentMark.ts';
import { describeCaller, needsPerson } from '../../schemas/rpc/caller.ts';
import type { Method } from '../../schemas/rpc/contract.ts';
import { isBelowAny } from '../contracts/contractPorts.ts';

/**
 * Refuses agents and commands of this devflow what only a person may do. No daemon runs that could look at the process, so only
 * its environment counts. Those of a devflow with another home pass, because agents work on devflow itself, unless the call reaches other homes.
 */
export async function refuseAgentOnce(env: Env, method: Method, params: unknown): Promise<void> {
  if (!hasMark(env) || !needsPerson(describeCaller(method), Object.keys(method.params.shape), params)) return;
  if (!reachesOtherHomes(method) && !(await isOfThisHome(env))) return;
  const who = env[COMMAND_VARIABLE] ? 'a command that devflow runs' : 'an agent';
  throw new DevflowError('agent_may_not_decide', `${method.name} was refused because ${who} called it.`);
}

function reachesOtherHomes({ changes }: Method): boolean {
  return typeof changes === 'object' && 'if' in changes && changes.ofAnyHome === true;
}

async function isOfThisHome(env: Env): Promise<boolean> {
  const { [SESSION_DIRECTORY_VARIABLE]: session, [COMMAND_VARIABLE]: command } = env;
  // devflow gives an agent both variables, so this one has removed the directory.
  if (env[AGENT_VARIABLE] && !session) return true;
  // Loaded only here, because a person's calls need no settings.
  const { readConfig } = await import('../../schemas/config/configLoad.ts');
  const roots = [readConfig(env).workspaceRoot, resolvePaths(env).dataDir];
  return [session, command].some((place) => place && isBelowAny(roots, place));
}
