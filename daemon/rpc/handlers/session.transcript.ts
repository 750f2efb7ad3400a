import type { Handler } from '../ports.ts';

export const sessionTranscript: Handler<'session.transcript'> = async ({ sessionId, ...page }, { reads }) =>
  reads.readTranscript(await reads.resolveSession(sessionId), page);
