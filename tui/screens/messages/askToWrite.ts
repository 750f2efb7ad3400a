import { aboveScissors, commentDraft } from '../../../cli/client/scissors.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { field } from '../../model/field.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { isStillAt } from '../../model/place.ts';
import { toast, toastError } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';

/** Who gets a message: a session, or the agent of a run's current phase. */
export interface Recipient {
  readonly target: string;
  readonly name: Line;
  /** Called when it has the message. */
  sent?(model: Model): Model;
}

interface Asked {
  readonly title: string;
  readonly description: string;
  readonly to: readonly Recipient[];
  /** Part of the token: after a lost connection the same text is sent once. */
  readonly since: number;
}

const WHEN_FREE = 'It is typed when the agent is free, once. A busy agent ends its turn first.';

/** Asks for one text and writes it to each agent. A text that could not be sent is asked for again. */
export function askToWrite(model: Model, title: string, to: readonly Recipient[]): Step {
  return ask(model, { title, description: WHEN_FREE, to, since: model.now }, '');
}

function ask(model: Model, asked: Asked, text: string): Step {
  const { title, description } = asked;
  return step({
    ...model,
    overlay: {
      kind: 'input',
      title,
      description,
      field: field(text),
      mayBeEmpty: false,
      manyLines: true,
      editor: (closed, typed) => edit(closed, asked, typed),
      then: (sure, typed) => send(sure, asked, typed),
    },
  });
}

function edit(model: Model, asked: Asked, typed: string): Step {
  const text = commentDraft(asked.title, asked.description, typed);
  return step(model, {
    type: 'edit',
    text,
    suffix: '.md',
    then(after, edited) {
      const written = aboveScissors(edited);
      if (written === undefined)
        return ask(toast(after, 'bad', 'The line with >8 is missing; nothing was sent.'), asked, edited);
      if (written === '') return step(toast(after, 'warn', 'The message is empty. Nothing was sent.'));
      return send(after, asked, written);
    },
  });
}

function send(model: Model, asked: Asked, text: string): Step {
  const [only, ...others] = asked.to;
  if (!only) return step(model);
  if (others.length > 0) return sendNext(model, asked, text, []);
  const { place } = model;
  return step(
    model,
    call('message.send', paramsOf(only, asked, text), {
      doing: 'writing to the agent',
      then: (after, views) => step(toast(only.sent?.(after) ?? after, 'good', sentence(views))),
      failed(after, error) {
        const told = toastError(after, error);
        return isStillAt(told, place) ? ask(told, asked, text) : step(told);
      },
    }),
  );
}

/** One after the other, so that each result belongs to its own agent. */
function sendNext(model: Model, asked: Asked, text: string, results: readonly Line[]): Step {
  const to = asked.to[results.length];
  if (!to) {
    const refused = results.filter(([sign]) => sign?.text === '✗ ').length;
    const title = `${counted(results.length - refused, 'message')} written, ${refused} refused`;
    return step({ ...model, overlay: { kind: 'message', title, lines: results, top: 0 } });
  }
  const on = (after: Model, result: Line): Step => sendNext(after, asked, text, [...results, result]);
  return step(
    model,
    call('message.send', paramsOf(to, asked, text), {
      doing: `writing to ${results.length + 1} of ${asked.to.length}`,
      then: (after, views) =>
        on(to.sent?.(after) ?? after, line(span('✓ ', theme.good), ...to.name, `: ${sentence(views)}`)),
      failed: (after, { message, hint }) =>
        on(after, line(span('✗ ', theme.bad), ...to.name, `: ${message} ${hint ?? ''}`)),
    }),
  );
}

function paramsOf({ target }: Recipient, { since }: Asked, text: string) {
  const clientToken = derivedId('message', target, String(since), text);
  return { target, text, via: 'person' as const, clientToken };
}

function sentence([message]: readonly MessageView[]): string {
  if (message?.state === 'sent') return 'The agent has the message.';
  return `The message waits for ${message?.waitsFor ?? 'its agent'}; x takes it back.`;
}
