import type { Handler } from '../ports.ts';

export const sessionProbe: Handler<'session.probe'> = async ({ sessionId }, { reads, sessions }) =>
  sessions.probe(await reads.resolveSession(sessionId));
