import { stallState } from '../../../../schemas/states/stall.ts';
import type { Session } from './state.ts';

export type StalledSession = Session & { stall: NonNullable<Session['stall']> };

/** The facts that the sentence needs. */
interface StallFacts extends Pick<Session, 'id' | 'roleId'> {
  backend: string;
  stall: Pick<StalledSession['stall'], 'cause' | 'detail' | 'until'>;
}

export function isStalled(session: Session | undefined): session is StalledSession {
  return session?.stall != null;
}

/** The stall of an agent and what to do about it, as a sentence without a full stop. */
export function stallSentence(session: StallFacts): string {
  return `${session.roleId} (${session.backend}) ${stallState(session.stall.cause).word}: ${session.stall.detail}${whatNext(session)}`;
}

function whatNext({ id, stall: { cause, until } }: StallFacts): string {
  const pane = `in its pane: devflow attach ${id.slice(0, 8)}`;
  switch (cause) {
    case 'permission':
    case 'question':
    case 'dialog':
      return `; answer it ${pane}`;
    case 'draft':
      return `; send it with Enter, or delete it, ${pane}`;
    case 'login':
      return `; log in ${pane}`;
    case 'quota':
      return until ? `; it waits until ${instant(until)}` : '; its end is unknown';
    case 'error':
      return until ? `; devflow prompts it again at ${instant(until)}` : '; devflow prompts it again';
    case 'idle':
      return ', and its artifact is missing; devflow prompts it again after a while';
    case 'hung':
      return '';
    default:
      return cause satisfies never;
  }
}

/** `2026-11-21 14:05:00 UTC`. The core knows no local time zone. */
function instant(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
