import { z } from 'zod';
import { defineMethod, defineRead } from '../contract.ts';
import { NotificationName } from '../notifications.ts';
import { repo } from '../views/contracts.ts';
import { RunRef, Seq, Time } from '../views/refs.ts';

export const eventsSubscribe = defineMethod({
  name: 'events.subscribe',
  summary: 'Follow a run from a seq on, or the whole daemon without runId',
  params: z.strictObject({
    runId: RunRef.optional(),
    /** Replays the events after this seq. Absent: only new events. Needs `runId`, because seq counts within a run. */
    afterSeq: Seq.optional(),
    /** Absent: all kinds, or without `runId` the global ones. `run.event_appended` needs `runId`, `contracts.changed` needs `repo`. */
    kinds: z.array(NotificationName).optional(),
    /** Also tells of changes to the contract files of this repository, as an absolute path. */
    repo: repo.optional(),
    /**
     * The time of the event at `afterSeq`, as the caller knows it. If the log has another one there, or none, because a backup
     * was restored, the replay starts at the beginning.
     */
    afterTs: Time.optional(),
  }),
  result: z.object({
    subscriptionId: z.string(),
    runId: z.string().nullable(),
    /** Where the replay starts: before the `afterSeq` that was asked for if the log ends before. Null without `runId`. */
    afterSeq: Seq.nullable(),
  }),
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id', 'contract_not_found'],
});

export const eventsUnsubscribe = defineRead({
  name: 'events.unsubscribe',
  summary: 'End a subscription of this connection',
  params: z.strictObject({ subscriptionId: z.string() }),
  result: z.object({ subscriptionId: z.string(), ended: z.boolean() }),
});
