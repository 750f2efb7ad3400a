import type { ApiError } from '../../model/apiError.ts';
import { type Command, type Model, type Overlay, type Step, step } from '../../model/model.ts';
import { toast, toastError } from '../../model/toast.ts';

interface Reading<T> {
  /** The question, as far as it is known before the answer. */
  readonly question: string;
  readonly yes: string;
  /** Reads what the question needs. */
  read(then: (model: Model, value: T) => Step, failed: (model: Model, error: ApiError) => Step): Command;
  /** Asks, with what was read. */
  ask(model: Model, value: T): Step;
}

/** Opens a question at once and fills it in when it is read. So no key that is meant for it acts on the screen below. */
export function askWhenRead<T>(model: Model, { question, yes, read, ask }: Reading<T>): Step {
  const reading: Overlay = {
    kind: 'confirm',
    question,
    detail: 'Reading…',
    yes,
    label: 'once it is read',
    then: (sure) => step({ ...toast(sure, 'warn', 'Not read yet; press again.'), overlay: reading }),
  };
  // The person may have closed it, or opened something else.
  const isOpen = ({ overlay }: Model) => overlay === reading;
  const closed = (after: Model): Model => ({ ...after, overlay: undefined });
  return step(
    { ...model, overlay: reading },
    read(
      (after, value) => (isOpen(after) ? ask(closed(after), value) : step(after)),
      (after, error) => step(toastError(isOpen(after) ? closed(after) : after, error)),
    ),
  );
}
