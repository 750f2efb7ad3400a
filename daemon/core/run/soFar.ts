import { keepsGoing } from './message.ts';
import type { Run } from './state.ts';

/** A new conversation begins with at most so many characters. */
export const MOST_SO_FAR = 65_536;

/** What people asked of the agent so far: the newest texts that fit, oldest first. The newest is always whole. */
export function soFar({ messages }: Pick<Run, 'messages'>, sessionId: string): string {
  const asked = messages.filter((each) => each.sessionId === sessionId && each.state === 'sent' && !keepsGoing(each));
  const kept: string[] = [];
  let left = MOST_SO_FAR;
  for (const { text } of asked.toReversed()) {
    left -= text.length;
    if (kept.length > 0 && left < 0) break;
    kept.unshift(text);
  }
  const dropped = asked.length - kept.length;
  return [...(dropped > 0 ? [`(${dropped} earlier left out)`] : []), ...kept].join('\n\n');
}
