import { instantOf, textOfInstant } from '../../document/calendar.ts';
import type { FileText } from '../../report/tree.ts';
import { withValue } from '../document/jsonText.ts';
import { checkSessionPrompt } from './sessionPrompt.ts';
import { checkSessionState } from './sessionState.ts';

export type Refresh = { is: 'absent' | 'invalid' | 'left alone' } | { is: 'would refresh'; text: string };

/**
 * The session state with the current time. It changes nothing else, and only the state of work that continues. If this
 * session has a prompt for its end, it changes nothing: the prompt would be older than the state.
 */
export function refresh(state: FileText, prompt: FileText, now: number): Refresh {
  if (!state.ok && state.isMissing) return { is: 'absent' };
  const { valid, parsed } = checkSessionState(state, '');
  if (!valid || !parsed || !state.ok) return { is: 'invalid' };
  const isOpen = parsed.status === 'in_progress' || parsed.status === 'partial';
  const updated = instantOf(parsed.updated_at) ?? Number.POSITIVE_INFINITY;
  if (!isOpen || hasPromptSince(prompt, updated)) return { is: 'left alone' };
  return { is: 'would refresh', text: withValue(state.text, 'updated_at', textOfInstant(now)) };
}

function hasPromptSince(prompt: FileText, updated: number): boolean {
  const produced = instantOf(prompt.ok ? checkSessionPrompt(prompt, '').parsed?.producedAt : undefined);
  return produced !== undefined && produced >= updated;
}
