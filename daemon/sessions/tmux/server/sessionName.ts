import { basename } from 'node:path';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { listSessionOptions, type UserOption } from '../../../../tmux/panes/options.ts';
import { listSessions } from '../../../../tmux/panes/sessions.ts';
import type { PaneStart } from '../../../../tmux/process/startPane.ts';
import type { StartInput } from '../../adapter.ts';

/** Of a tmux session that was made for an agent. By it the session is found, whatever a person calls it. */
const AGENT_MARK: UserOption = '@devflow_agent';

type Named = Pick<StartInput, 'sessionId' | 'runId' | 'roleId' | 'repoPath'>;

export interface AgentPlace extends Pick<PaneStart, 'place' | 'sessionMarks'> {
  name: string;
}

/** The tmux session that the agent has, so that whoever looks at it stays; else one to be made. */
export async function placeFor(runner: Runner, input: Named): Promise<AgentPlace> {
  const { sessionId } = input;
  const sessions = await listSessions(runner);
  const marks = await listSessionOptions(runner, AGENT_MARK);
  // A daemon of before knew it by its name.
  const isOurs = ({ id, name }: { id: string; name: string }) =>
    [...marks].some(([marked, agent]) => marked === id && agent === sessionId) || name === `devflow-${sessionId}`;
  const found = sessions.find(isOurs);
  if (found) return { name: found.name, place: { session: found.id } };
  const name = sessionNameOf(input);
  const isFree = sessions.every((other) => other.name !== name);
  const newSession = isFree ? name : `${name}-${sessionId}`;
  return { name: newSession, place: { newSession }, sessionMarks: { [AGENT_MARK]: sessionId } };
}

/** `devflow-my-repo-planner-3f9a1c2d`: what a person looks for in `choose-tree`. */
export function sessionNameOf({ runId, roleId, repoPath }: Named): string {
  const repository = word(basename(repoPath)).slice(0, LONGEST_REPOSITORY);
  return ['devflow', repository, word(roleId), runId.slice(0, 8)].filter((part) => part !== '').join('-');
}

const LONGEST_REPOSITORY = 24;

/** tmux changes other characters in a name, or takes them for something else in a target. */
function word(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
}
