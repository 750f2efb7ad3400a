import { z } from 'zod';
import { LONGEST_MESSAGE } from '../../events/message.ts';
import { defineAct, defineMethod } from '../contract.ts';
import { MessageState, MessageView } from '../views/message.ts';
import { LoggedText, RunRef, SessionRef } from '../views/refs.ts';

const utf8 = new TextEncoder();

const MessageText = LoggedText.refine((text) => text.trim() !== '', 'write a text')
  .refine((text) => utf8.encode(text).length <= LONGEST_MESSAGE, `write at most ${LONGEST_MESSAGE / 1024} KB`)
  .describe('what the agent gets, as it is');
const MessageRef = z.string().min(1).max(200).describe('message id or unambiguous prefix');

/** One token for one act of a person. Retries repeat the token. */
export const messageSend = defineAct({
  name: 'message.send',
  summary: 'Write to agents; each gets the text once, when it is free',
  params: z.strictObject({
    target: z.string().min(1).optional().describe('run, run/role, run/role@lane or session'),
    runId: RunRef.optional().describe('instead of a target: all agents of this run'),
    role: z.string().min(1).optional().describe('only those of this role'),
    lane: z.string().min(1).optional().describe('only those in this lane'),
    text: MessageText,
    now: z
      .literal(true)
      .optional()
      .describe('during its turn; refused, for no program is proven to hold what it gets then'),
    via: z.enum(['person', 'program']).default('person').describe('program: one that a person runs wrote it'),
    clientToken: z.uuid(),
  }),
  result: z.array(MessageView),
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict'],
});

export const messageList = defineMethod({
  name: 'message.list',
  summary: 'List messages to agents, oldest first',
  params: z.strictObject({
    runId: RunRef.optional().describe('only of this run; absent: of all open runs of this host, but measured ones'),
    sessionId: SessionRef.optional().describe('only to this session'),
    state: MessageState.optional(),
  }),
  result: z.array(MessageView),
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

export const messageWithdraw = defineAct({
  name: 'message.withdraw',
  summary: 'Take a message back that its agent does not have yet',
  params: z.strictObject({
    messageId: MessageRef,
    runId: RunRef.optional().describe('its run; absent: an open run of this host'),
  }),
  result: MessageView,
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  errors: ['not_found', 'ambiguous_id', 'state_conflict', 'host_unreachable'],
});

export const messageSettle = defineAct({
  name: 'message.settle',
  summary: 'Say whether an agent has a message whose delivery is in doubt',
  params: z.strictObject({
    messageId: MessageRef,
    taken: z.boolean().describe('true: the agent has it; false: devflow sends it again'),
    runId: RunRef.optional().describe('its run; absent: an open run of this host'),
    clientToken: z.uuid(),
  }),
  result: MessageView,
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
