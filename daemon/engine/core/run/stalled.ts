import { stallState } from '../../../../schemas/states/stall.ts';
import type { Session } from './state.ts';

export type StalledSession = Session & { stall: NonNullable<Session['stall']> };

/** As much as the sentence needs. */
interface SaidStall extends Pick<Session, 'id' | 'roleId'> {
  backend: string;
  stall: Pick<StalledSession['stall'], 'cause' | 'detail' | 'until'>;
}

export function isStalled(session: Session | undefined): session is StalledSession {
  return session?.stall != null;
}

/** What keeps an agent from going on, and where that is mended, in a sentence for a person. */
export function stallSentence(session: SaidStall): string {
  return `${session.roleId} (${session.backend}) ${stallState(session.stall.cause).word}: ${session.stall.detail}${whatNext(session)}`;
}

function whatNext({ id, stall: { cause, until } }: SaidStall): string {
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
      return until ? `; it waits until ${instant(until)}` : '; no end of it is known';
    case 'error':
      return until ? `; it is asked again at ${instant(until)}` : '; it is asked again';
    case 'idle':
      return ', and its artifact is not there; it is asked again after a while';
    case 'hung':
      return '';
    default:
      return cause satisfies never;
  }
}

/** `2026-11-21 14:05:00 UTC`: the core knows no other zone. */
function instant(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
