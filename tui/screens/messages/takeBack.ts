import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { field } from '../../model/field.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';

/** Takes back the message that waits; of several, the one that the person chooses. */
export function askToTakeBack(model: Model, waiting: readonly MessageView[]): Step {
  const [only, ...others] = waiting;
  if (!only) return step(model);
  if (others.length === 0) {
    return step({
      ...model,
      overlay: {
        kind: 'confirm',
        question: 'Take this message back?',
        detail: titleOf(only.text),
        yes: 'y',
        label: 'take back',
        then: (sure) => takeBack(sure, only),
      },
    });
  }
  return step({
    ...model,
    overlay: {
      kind: 'choose',
      title: 'Which message is taken back?',
      choices: waiting.map(({ messageId, text, position }) => ({
        value: messageId,
        label: `${position ?? ''} ${titleOf(text)}`,
      })),
      field: field(),
      selected: 0,
      then(sure, value) {
        const chosen = waiting.find(({ messageId }) => messageId === value);
        return chosen ? takeBack(sure, chosen) : step(sure);
      },
    },
  });
}

function takeBack(model: Model, { messageId, runId }: MessageView): Step {
  const then = (after: Model): Step => step(toast(after, 'good', 'Took the message back; its agent never sees it.'));
  return step(model, call('message.withdraw', { messageId, runId }, { doing: 'taking the message back', then }));
}
