import type { AgentState } from '../tmux/evidence.ts';
import type { HookEvent, Reading } from '../tmux/profile.ts';

/** What devflow's plugin left of opencode's events. */
export function readOpencodeHook({ name, data }: HookEvent): Reading | undefined {
  switch (name) {
    case 'UserPromptSubmit':
    case 'Busy':
    case 'Answered':
      return { state: 'BUSY' };
    case 'Retry':
      return retry(data);
    case 'PermissionRequest':
      return { state: 'WAITING', detail: `permission for ${String(data.tool_name ?? 'a tool')}` };
    case 'Question':
      return { state: 'WAITING', detail: 'a question' };
    // It was loaded: long before there is a composer, which is waited for.
    case 'SessionStart':
      return { state: 'READY' };
    case 'Stop':
      return ending(data.failure);
    default:
      return undefined;
  }
}

/** It tries again by itself, at the time it names; of other faults than a quota that is work. */
function retry({ message, next }: HookEvent['data']): Reading {
  const detail = String(message ?? 'it tries again');
  if (!QUOTA.test(detail)) return { state: 'BUSY', detail };
  return { state: 'QUOTA', detail, ...(typeof next === 'number' ? { until: next } : {}) };
}

const QUOTA = /quota|rate.?limit|usage limit|\b429\b|too many requests|overloaded/i;

function ending(failure: unknown): Reading {
  if (typeof failure !== 'object' || failure === null) return { state: 'READY' };
  const { name, message, statusCode } = failure as Record<string, unknown>;
  // Esc, or a log-out in the middle.
  if (name === 'MessageAbortedError') return { state: 'READY' };
  const detail = String(message ?? name ?? 'unknown');
  return { state: stateOf(String(name), Number(statusCode), detail), detail };
}

function stateOf(name: string, status: number, detail: string): AgentState {
  if (name === 'ProviderAuthError' || status === 401 || status === 403) return 'LOGIN';
  if (status === 429 || QUOTA.test(detail)) return 'QUOTA';
  return /api key|unauthorized|log ?in/i.test(detail) ? 'LOGIN' : 'ERROR';
}
