import type { Logger } from 'pino';
import { detach, type HeldSession } from './heldSession.ts';
import type { Transcripts } from './transcript/transcript.ts';

/** For a delivery under way; its record lets the next daemon continue it. */
const GRACE_MS = 1_000;

const grace = () => new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS).unref());

/**
 * Releases every session without ending its agent, within the deadline. Storing the last chunk also stores
 * `last_capture_seq`. Returns the sessions that were not released in time.
 */
export async function releaseAll(
  held: HeldSession[],
  transcripts: Transcripts,
  deadlineMs: number,
  log: Pick<Logger, 'warn'>,
): Promise<string[]> {
  const open = new Set(held.map(({ input }) => input.sessionId));
  const work = held.map(async (session) => {
    const { sessionId } = session.input;
    // A prompt may wait long for a person's draft; the release then ends its delivery in order.
    await Promise.race([session.lock.idle(), grace()]);
    await detach(session, 'release');
    // Flush before waiting for the reader: it may itself wait for room in the transcript.
    await transcripts.flush(sessionId);
    await session.capturing;
    await transcripts.flush(sessionId);
    open.delete(sessionId);
  });
  const all = Promise.allSettled(work).then((results) => {
    for (const result of results) {
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'could not release the session');
    }
  });
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([all, deadline]);
  clearTimeout(timer);
  for (const sessionId of open) transcripts.drop(sessionId);
  return [...open];
}
