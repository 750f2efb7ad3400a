import type { Handler } from '../ports.ts';

export const sessionWhy: Handler<'session.why'> = async ({ sessionId }, { reads, sessions }) =>
  sessions.why(await reads.resolveSession(sessionId));
