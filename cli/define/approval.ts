import { GATE_STATES } from '../../schemas/states/gate.ts';
import { CLIENT_TOKEN } from './clientToken.ts';
import { type Actions, command } from './command.ts';
import { argument, flag, own, text, YES } from './entry.ts';
import { listEntries } from './lists.ts';

/** Without it, the command takes the only gate that fits. */
const gate = own(argument('[approval]', 'default: the only gate that takes this'));

const decision = {
  gate,
  comment: text('<text>', 'comment on the decision'),
  clientToken: CLIENT_TOKEN,
};

export const APPROVAL = {
  list: command('approval.list', 'list the gates that wait for a decision, newest first', {
    runId: text('<run>', 'only gates of this run'),
    ...listEntries(GATE_STATES, {
      of: 'gates',
      all: flag('also show decided gates, without a limit'),
      always: 'all that are open',
    }),
  }),
  show: command('approval.get', 'show a gate and what it asks you to decide', {
    gate: own(argument('[approval]', 'default: the only gate that waits')),
    raw: own(flag('only its documents, as the agents wrote them')),
  }),
  diff: command('approval.diff', 'show the change of one file, also where the patch of the gate is cut', {
    approvalId: argument('<approval>'),
    path: argument('<path>'),
  }),
  edit: command('approval.edit', 'put your own version in place of a specification or plan at a gate', {
    gate: own(argument('[approval]', 'default: the only gate that waits')),
    document: own(text('<hash>', 'the document, where the gate shows several')),
    file: own(text('<file>', 'take this YAML or JSON file; - for standard input (default: your editor)')),
    clientToken: decision.clientToken,
  }),
  approve: command('approval.decide', 'pass the gate', { ...decision, yes: YES }),
  reject: command('approval.decide', 'end the run as failed', { ...decision, yes: YES }),
  'request-changes': command('approval.decide', 'send the work back with a comment', {
    ...decision,
    yes: YES,
    comment: text('<text>', 'what should change (required without --comments)'),
    comments: own(
      text('<file>', 'JSON file with a list of comments on lines, files and documents; - for standard input'),
    ),
    dryRun: own(flag('say where the comments stand, and decide nothing')),
  }),
  abort: command('approval.decide', 'abort the run at this gate', { ...decision, yes: YES }),
};
export type Approval = Actions<typeof APPROVAL>;
