import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { Limit, Seq, SessionRef } from '../views/refs.ts';
import { TranscriptChunk } from '../views/session.ts';

export const sessionTranscript = defineMethod({
  name: 'session.transcript',
  summary: "Read what an agent's pane showed, in chunks",
  params: z.strictObject({
    sessionId: SessionRef,
    afterSeq: Seq.default(0),
    limit: Limit.default(50),
    tail: Limit.optional().describe('only the last chunks, this many, instead of afterSeq'),
  }),
  result: z.object({
    sessionId: z.string(),
    chunks: z.array(TranscriptChunk),
    /** Pass it as `afterSeq` to read on. */
    lastSeq: Seq,
    more: z.boolean(),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['sessionId', 'afterSeq', 'limit'],
  errors: ['not_found', 'ambiguous_id'],
});
