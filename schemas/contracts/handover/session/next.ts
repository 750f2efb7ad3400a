import { DevflowError } from '../../../errors.ts';
import { shorten } from '../../../text/phrases.ts';
import type { Finding, Report } from '../../report/report.ts';
import { briefPathOf, type SessionState } from './sessionState.ts';

/** Facts that a fresh session needs to continue. */
export interface NextSession {
  resumable: boolean;
  message: string;
  lines: [string, string, string];
  briefPath: string;
  warnings: Finding[];
}

/** The sentence where no session was interrupted. */
export const COLD_START = 'no active multi-session project here; start with `/trekbrief` or `/trekplan`';
const COMPLETE = 'no further sessions to resume; project complete';

/** Reads a session state as the next session does. Throws `contract_invalid` if it is broken. */
export function nextSession({ valid, parsed, errors, warnings }: Report<SessionState>): NextSession {
  if (!valid || !parsed) {
    const codes = [...new Set(errors.map(({ code }) => code))].join(', ');
    throw new DevflowError('contract_invalid', `The session state is not valid (${codes}): ${errors[0]?.message}`, {
      data: { errors },
    });
  }
  const { project, next_session_label: label, status, updated_at: updatedAt } = parsed as Record<string, string>;
  const resumable = status !== 'completed';
  return {
    resumable,
    message: resumable ? `The next session is ${shorten(label ?? '')}.` : COMPLETE,
    lines: [
      `Project: ${shorten(project ?? '')}`,
      `Next session: ${shorten(label ?? '')}`,
      `Status: ${status}, updated ${updatedAt}`,
    ],
    briefPath: briefPathOf(parsed) ?? '',
    warnings,
  };
}
