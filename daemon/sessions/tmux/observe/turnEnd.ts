import type { AgentStatus, Source } from '../profile/evidence.ts';
import type { Profile } from '../profile/profile.ts';

/**
 * The end of the agent's turn, if its program reported one after `since` and nothing that it records contradicts. A
 * hook alone does not suffice: another hook of the person may continue the turn. Pure.
 */
export function turnEndOf(status: AgentStatus, profile: Reporting, since: number): number | undefined {
  return status.state === 'READY' ? reportedEnd(status, profile, since) : undefined;
}

/**
 * When a turn seems to have ended, for a program that does not report it. Its record ends with an answer, and after that
 * its title and screen show rest. Enough to ask a person. It proves nothing about files: only title and screen say that no
 * tool runs. Pure.
 */
export function seemingEndOf(
  { state, signals }: AgentStatus,
  profile: Pick<Profile, 'isRestingTitle'>,
  since: number,
): number | undefined {
  const newest = (source: Source) => signals.findLast((signal) => signal.source === source);
  const [record, title, screen] = [newest('record'), newest('title'), newest('screen')];
  if (!record?.mayEndTurn || record.at < since || !title || !profile.isRestingTitle?.(title.fact)) return undefined;
  return state === 'READY' && screen?.says === 'READY' && title.at >= record.at ? title.at : undefined;
}

/**
 * True if only a dialog speaks against the end of the turn. The dialog is of the last look at the screen, and may be
 * gone. An agent can end its turn right after the answer. Pure.
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
