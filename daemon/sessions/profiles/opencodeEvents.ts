import type { HookEvent, Reading } from '../tmux/profile/profile.ts';
import { textOr } from '../tmux/profile/words.ts';
import { failureOf, isLimit, limitOf } from './failureSigns.ts';
import { FAILURE_WORDS, WAITED_FOR } from './opencodeSigns.ts';

/** Reads opencode's events, as devflow's plugin writes them. */
export function readOpencodeHook({ name, at, data }: HookEvent): Reading | undefined {
  switch (name) {
    case 'UserPromptSubmit':
    case 'Busy':
    case 'Answered':
      return { state: 'BUSY' };
    case 'Retry':
      return retry(data, at);
    case 'PermissionRequest':
      return { state: 'WAITING', detail: `permission for ${textOr(data.tool_name, 'a tool')}` };
    case 'Question':
      return { state: 'WAITING', detail: 'a question' };
    // The plugin is loaded, long before there is a composer; the delivery waits for that.
    case 'SessionStart':
      return { state: 'READY' };
    case 'Stop':
      return ending(data.failure, at);
    default:
      return undefined;
  }
}

/**
 * opencode retries at the time it names, without end: after 2 to 30 s if the model names no time. That counts
 * as work, but a long usage limit is reported.
 */
function retry({ message, next }: HookEvent['data'], at: number): Reading {
  const detail = textOr(message, 'it retries');
  const isSoon = typeof next !== 'number' || next < at + SOON_MS;
  return isSoon || !isWaitedFor(detail)
    ? { state: 'BUSY', detail }
    : { state: 'QUOTA', detail, until: next, after: 'BUSY' };
}

const SOON_MS = 60_000;

function isWaitedFor(message: string): boolean {
  return isLimit(message) || WAITED_FOR.some((pattern) => pattern.test(message));
}

function ending(failure: unknown, at: number): Reading {
  if (typeof failure !== 'object' || failure === null) return { state: 'READY', endsTurn: true };
  const { name, message, statusCode } = failure as Record<string, unknown>;
  // Esc, or a log-out during the turn.
  if (name === 'MessageAbortedError') return { state: 'READY' };
  const detail = textOr(message, textOr(name, 'unknown'));
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  if (name === 'ProviderAuthError' || status === 401 || status === 403) return { state: 'LOGIN', detail };
  return status === 429 ? limitOf(detail, at, FAILURE_WORDS) : failureOf(detail, at, FAILURE_WORDS);
}
