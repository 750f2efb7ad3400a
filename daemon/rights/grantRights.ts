import type { PermissionMode } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { AgentProgram } from '../../schemas/names.ts';
import type { AgentRights } from '../../schemas/repository/agentSettings.ts';
import { type GrantedRights, rightsFor } from '../../schemas/repository/programRights.ts';
import { createGit } from '../repository/git/git.ts';
import { inFrozen } from './frozen.ts';
import { keepFrozen } from './keepFrozen.ts';
import { readRights } from './readRights.ts';

export interface RightsRequest {
  runId: string;
  repoPath: string;
  baseCommit: string;
  allowed: AgentRights;
  /** The directory of the frozen files. */
  directory: string;
  program: AgentProgram;
  mode: PermissionMode;
}

/**
 * The rights of an agent, with paths of frozen files. It reads them from the base commit anew, and writes again what
 * somebody changed in the frozen files. Throws `agent_rights_changed` if the commit gives something else than was
 * allowed.
 */
export async function grantRights(request: RightsRequest): Promise<GrantedRights> {
  const { runId, repoPath, baseCommit: commit, allowed, directory, program, mode } = request;
  const read = await readRights({ repoPath, commit, settings: allowed.settings }, createGit({ runId }));
  if (read.rights.hash !== allowed.hash || read.faults.length > 0) {
    const message = `The rights of agents in commit ${commit.slice(0, 12)} are not those that were allowed for the run.`;
    throw new DevflowError('agent_rights_changed', message, { runId });
  }
  const rights = rightsFor(read.programs.get(program) ?? { hooks: [], rules: [], servers: [] }, mode);
  keepFrozen(directory, read.files);
  return { ...inFrozen(rights, read.known, directory), directory };
}
