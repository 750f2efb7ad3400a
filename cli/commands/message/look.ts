import { agentName } from '../../../schemas/mainLane.ts';
import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import { MESSAGE_STATES, messageState } from '../../../schemas/states/message.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { calls, withDaemon } from '../../daemon/withDaemon.ts';
import type { Message } from '../../define/message.ts';
import { emptyWords } from '../../input/lists.ts';
import { usage } from '../../input/parse.ts';
import { type Column, printJson, printList } from '../../print/output.ts';
import { localTime, shortId } from '../../print/text.ts';

/** `message list`, `take-back` and `settle`. */
export const actions: Pick<Message, 'list' | 'take-back' | 'settle'> = {
  list: async (params, { json }, io) =>
    withDaemon(io, async (client) => {
      const messages = await client.call('message.list', params);
      const whenEmpty = emptyWords('message', params, MESSAGE_STATES) ?? 'There are no messages.';
      printList(io, { json, rows: messages, columns: COLUMNS, whenEmpty });
      return 0;
    }),
  'take-back': calls('message.withdraw', (io, { messageId }) => io.out(`Took message ${shortId(messageId)} back.\n`)),
  settle: async ({ messageId, runId, clientToken }, { taken = false, again = false, json }, io) => {
    if (taken === again) throw usage('the command does not say whether the agent has it', 'Give --taken or --again.');
    return withDaemon(io, async (client) => {
      const given = { messageId, taken, clientToken, ...(runId === undefined ? {} : { runId }) };
      const message = await client.call('message.settle', given);
      if (json) printJson(io, message);
      else
        io.out(
          taken
            ? `The agent has message ${shortId(message.messageId)}.\n`
            : `devflow sends message ${shortId(message.messageId)} again.\n`,
        );
      return 0;
    });
  },
};

const COLUMNS: Column<MessageView>[] = [
  { title: 'MESSAGE', cell: ({ messageId }) => shortId(messageId) },
  { title: 'RUN', cell: ({ runId }) => shortId(runId) },
  { title: 'AGENT', cell: agentName },
  { title: 'STATE', cell: messageState },
  { title: 'WRITTEN', cell: ({ at }) => localTime(at), spare: 1 },
  { title: 'WAITS FOR', cell: ({ waitsFor, doubt }) => doubt ?? waitsFor },
  { title: 'TEXT', cell: ({ text }) => titleOf(text), cuts: true },
];
