import type { RecordLine } from '../tmux/profile/profile.ts';
import { timeOf, valuesIn, wordsOf } from '../tmux/profile/words.ts';

/** Only these lines are parsed: the file also has every token count and every tool's output. */
const TOLD = /"type":\s*"(?:session_meta|task_started|task_complete|turn_aborted)"/;

/**
 * A line of Codex's rollout file: `{timestamp, type, payload}`. Each turn has a `task_started` and a `task_complete`,
 * also a failed turn, which no hook reports. An interrupted turn ends with `turn_aborted`.
 */
export function readRolloutLine(line: string): RecordLine | undefined {
  if (!TOLD.test(line)) return undefined;
  const { timestamp, type, payload } = valuesIn(line);
  if (typeof payload !== 'object' || payload === null) return undefined;
  const said = payload as Record<string, unknown>;
  if (type === 'session_meta') return typeof said.id === 'string' ? { conversationId: said.id } : undefined;
  const at = timeOf(timestamp);
  if (type !== 'event_msg' || Number.isNaN(at)) return undefined;
  if (said.type === 'task_started') return { state: 'BUSY', at, detail: 'task_started' };
  if (said.type === 'task_complete') {
    return { state: 'READY', at, detail: 'task_complete', endsTurn: true, ...wordsOf(said.last_agent_message) };
  }
  return said.type === 'turn_aborted' ? { state: 'READY', at, detail: 'turn_aborted' } : undefined;
}
