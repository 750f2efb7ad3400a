import type { AgentStatus, Source } from '../profile/evidence.ts';
import type { Profile } from '../profile/profile.ts';

/**
 * When the agent's turn ended, if its program reported the end of a turn after `since` and all that it keeps about its
 * state agrees. A hook alone does not suffice: another hook of the person may continue the turn. Pure.
 */
export function turnEndOf(status: AgentStatus, profile: Reporting, since: number): number | undefined {
  return status.state === 'READY' ? reportedEnd(status, profile, since) : undefined;
}

/**
 * When a turn seems to have ended whose end the program does not report: its record ends with the model's answer, and after
 * that its title and its screen show rest. Enough to tell a person, and no proof that nothing writes any more: such an
 * answer may still have a tool call, and only what is drawn says that no tool runs. Pure.
 */
export function seemingEndOf(
  { state, signals }: AgentStatus,
  profile: Pick<Profile, 'isAtRest'>,
  since: number,
): number | undefined {
  const newest = (source: Source) => signals.findLast((signal) => signal.source === source);
  const [record, title, screen] = [newest('record'), newest('title'), newest('screen')];
  if (!record?.endsTurn || record.at < since || !title || !profile.isAtRest?.(title.fact)) return undefined;
  return state === 'READY' && screen?.says === 'READY' && title.at >= record.at ? title.at : undefined;
}

/**
 * Whether only a dialog speaks against the end of the turn. It is on the screen as devflow last read it, and may be gone:
 * an agent can end its turn right after the answer. Pure.
 */
export function awaitsScreen(status: AgentStatus, profile: Reporting, since: number): boolean {
  const isAsking = status.signals.some(({ source }) => source === 'dialog');
  return isAsking && reportedEnd(status, profile, since) !== undefined;
}

type Reporting = Pick<Profile, 'stateFile' | 'readRecord'>;

function reportedEnd({ signals }: AgentStatus, profile: Reporting, since: number): number | undefined {
  const newest = (source: Source) =>
    signals.findLast((signal) => signal.source === source && signal.says !== undefined);
  const [hook, record, file] = [newest('hook'), newest('record'), newest('state file')];
  if (profile.stateFile && file?.says !== 'READY') return undefined;
  if (profile.readRecord && !(record?.endsTurn && record.at >= since)) return undefined;
  const ends = [hook, record].filter((signal) => signal !== undefined);
  const last = ends.sort((a, b) => a.at - b.at).at(-1);
  return last?.endsTurn && last.at >= since ? last.at : undefined;
}
