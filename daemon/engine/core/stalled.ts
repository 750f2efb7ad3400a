import type { Session } from './state.ts';

export type StalledSession = Session & { stall: NonNullable<Session['stall']> };

export function isStalled(session: Session | undefined): session is StalledSession {
  return session?.stall != null;
}

/** What keeps an agent from going on, and where that is mended, in a sentence for a person. */
export function stallSentence({ id, roleId, backend, stall }: StalledSession): string {
  const { cause, detail, until } = stall;
  const who = `${roleId} (${backend})`;
  const pane = `in its pane: devflow attach ${id.slice(0, 8)}`;
  switch (cause) {
    case 'permission':
    case 'question':
    case 'dialog':
      return `${who} asks: ${detail}; answer it ${pane}`;
    case 'draft':
      return `${who} holds a person's draft: ${detail}; send it or clear it ${pane}`;
    case 'login':
      return `${who} must be logged in: ${detail}; log in ${pane}`;
    case 'quota':
      return `${who} has reached its usage limit: ${detail}; ${until ? `it waits until ${instant(until)}` : 'no end of it is known'}`;
    case 'error':
      return `${who} ended its turn in an error: ${detail}; ${until ? `it is asked again at ${instant(until)}` : 'it is asked again'}`;
    case 'idle':
      return `${who} does nothing: ${detail}, and its artifact is not there; it is asked again after a while`;
    case 'hung':
      return `${who} stopped moving: ${detail}`;
    default:
      return cause satisfies never;
  }
}

/** `2026-11-21 14:05:00 UTC`: the core knows no other zone. */
function instant(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
