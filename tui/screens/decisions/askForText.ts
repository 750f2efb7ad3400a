import { aboveScissors, commentDraft } from '../../../cli/client/scissors.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { field } from '../../model/field.ts';
import { type DecideCommand, type Model, type Step, step } from '../../model/model.ts';
import { isStillAt } from '../../model/place.ts';
import { toast } from '../../model/toast.ts';
import { decidableFrom, decideWith, JUST_APPEARED } from './decideWith.ts';
import { shownSince } from './rowGate.ts';
import { keepTyped, typedText } from './typedText.ts';

interface Wanted {
  readonly gate: ApprovalSummary;
  readonly title: string;
  readonly description?: string | undefined;
  readonly mayBeEmpty: boolean;
}

/** Asks for the text of a request for changes at the gate of the selected row. No text is lost: a refused one is asked for again. */
export function askForText(model: Model, wanted: Wanted): Step {
  return ask(model, { ...wanted, since: shownSince(model, wanted.gate.id) }, typedText(model, wanted.gate.id));
}

type Asked = Wanted & { readonly since: number };

function ask(model: Model, asked: Asked, text: string): Step {
  const { title, description, mayBeEmpty } = asked;
  return step({
    ...model,
    overlay: {
      kind: 'input',
      title,
      field: field(text),
      mayBeEmpty,
      manyLines: true,
      ...(description === undefined ? {} : { description }),
      editor: (closed, typed) => edit(closed, asked, typed),
      then: (sure, typed) => send(sure, asked, typed),
    },
  });
}

function edit(model: Model, asked: Asked, typed: string): Step {
  const text = commentDraft(asked.title, asked.description ?? '', typed);
  return step(model, {
    type: 'edit',
    text,
    suffix: '.md',
    then(after, edited) {
      const comment = aboveScissors(edited);
      if (comment === undefined)
        return ask(toast(after, 'bad', 'The line with >8 is missing; nothing was sent.'), asked, edited);
      if (comment === '') return step(toast(after, 'warn', 'The comment is empty. Nothing was sent.'));
      return send(after, asked, comment);
    },
  });
}

function send(model: Model, asked: Asked, text: string): Step {
  const { gate, since } = asked;
  if (decidableFrom(model, since) !== undefined) return ask(toast(model, 'warn', `${JUST_APPEARED}.`), asked, text);
  const { then, failed, doing } = decideWith(model, gate);
  const params = { approvalId: gate.id, action: 'request_changes' as const, ...(text === '' ? {} : { comment: text }) };
  const { place } = model;
  const command: DecideCommand = {
    type: 'decide',
    params,
    doing,
    then: (after, result) => then(keepTyped(after, gate.id, ''), result),
    failed(after, error) {
      const { model: told } = failed(keepTyped(after, gate.id, text), error);
      return text !== '' && isStillAt(told, place) ? ask(told, asked, text) : step(told);
    },
  };
  return step(model, command);
}
