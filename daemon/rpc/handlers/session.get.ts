import type { Handler } from '../ports.ts';

export const sessionGet: Handler<'session.get'> = async ({ sessionId }, { reads }) =>
  reads.getSession(await reads.resolveSession(sessionId));
