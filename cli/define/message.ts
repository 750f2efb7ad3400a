import { MESSAGE_STATES } from '../../schemas/states/message.ts';
import { stateOption, stateWords } from '../input/lists.ts';
import { CLIENT_TOKEN } from './clientToken.ts';
import { type Actions, command } from './command.ts';
import { argument, flag, own, parsed, repeated, text } from './entry.ts';

const messageId = argument('<message>');

export const MESSAGE = {
  send: command(
    'message.send',
    'write to an agent, which gets the text once, when it is free: devflow message <run> "..."',
    {
      words: own(argument('[words...]', 'a run, run/role, run/role@lane or session, then the text')),
      runId: text('<run>', 'all agents of this run; the words are then the text alone'),
      role: text('<role>', 'with --run: only those of this role'),
      lane: text('<lane>', 'with --run: only those in this lane'),
      message: own(repeated('<text>', 'a paragraph of the text, in place of words', { short: 'm' })),
      now: own(flag("do not wait for the end of the agent's turn (refused: no program is proven to take it once)")),
      file: own(text('<file>', 'read the text from this file; - for standard input')),
      clientToken: CLIENT_TOKEN,
    },
    { isDefault: true },
  ),
  list: command('message.list', 'list messages to agents, oldest first', {
    runId: text('<run>', 'only of this run (default: of all open runs but measured ones)'),
    sessionId: text('<session>', 'only to this session'),
    state: parsed(text('<state>', 'only messages in this state', { offers: stateWords(MESSAGE_STATES) }), (_, given) =>
      stateOption(MESSAGE_STATES, given),
    ),
  }),
  'take-back': command('message.withdraw', 'take a message back that its agent does not have yet', {
    messageId,
    runId: text('<run>', 'its run, if it has ended or is on another host'),
  }),
  settle: command('message.settle', 'say whether an agent has a message whose delivery is in doubt', {
    messageId,
    taken: own(flag('the agent has it', { conflicts: ['again'] })),
    again: own(flag('the agent has it not: send it again', { conflicts: ['taken'] })),
    runId: text('<run>', 'its run, if it is on another host'),
    clientToken: CLIENT_TOKEN,
  }),
};
export type Message = Actions<typeof MESSAGE>;
