import { basename } from 'node:path';
import { agentName } from '../../../../schemas/mainLane.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { listSessionOptions, type UserOption } from '../../../../tmux/panes/options.ts';
import { listSessions } from '../../../../tmux/panes/sessions.ts';
import type { PaneStart } from '../../../../tmux/process/startPane.ts';
import type { StartInput } from '../../contract/adapter.ts';

/** Marks a tmux session that was made for an agent. The session is found by it, even if a person renames it. */
const AGENT_MARK: UserOption = '@devflow_agent';

type Named = Pick<StartInput, 'sessionId' | 'runId' | 'roleId' | 'laneId' | 'repoPath'>;

/** The agent's own tmux session, so that attached people stay there; otherwise a new one. */
export async function placeFor(
  runner: Runner,
  input: Named,
): Promise<Pick<PaneStart, 'place' | 'sessionMarks'> & { name: string }> {
  const { sessionId } = input;
  const sessions = await listSessions(runner);
  const marks = await listSessionOptions(runner, AGENT_MARK);
  // Earlier versions named the session after its id.
  const isOurs = ({ id, name }: { id: string; name: string }) =>
    [...marks].some(([marked, agent]) => marked === id && agent === sessionId) || name === `devflow-${sessionId}`;
  const found = sessions.find(isOurs);
  if (found) return { name: found.name, place: { session: found.id } };
  const name = sessionNameOf(input);
  const isFree = sessions.every((other) => other.name !== name);
  const newSession = isFree ? name : `${name}-${sessionId}`;
  return { name: newSession, place: { newSession }, sessionMarks: { [AGENT_MARK]: sessionId } };
}

/** `devflow-my-repo-planner-3f9a1c2d`, or `devflow-my-repo-coder_lane-1-3f9a1c2d`: readable in `choose-tree`. */
export function sessionNameOf({ runId, repoPath, ...agent }: Named): string {
  const repository = word(basename(repoPath)).slice(0, LONGEST_REPOSITORY);
  return ['devflow', repository, word(agentName(agent)), runId.slice(0, 8)].filter((part) => part !== '').join('-');
}

const LONGEST_REPOSITORY = 24;

/** tmux replaces other characters in a name, or gives them a meaning in a target. */
function word(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
}
