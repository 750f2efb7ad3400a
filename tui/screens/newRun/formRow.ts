import { field } from '../../model/field.ts';
import { type Model, type OverlayOf, type Step, step } from '../../model/model.ts';

/** One row of the form. */
export interface FormRow {
  readonly key: string;
  readonly label: string;
  /** The action of Enter, in one word. */
  readonly does: 'type' | 'choose' | 'switch' | 'decide';
  change(model: Model): Step;
  /** Sets the field back to its first value. */
  clear(model: Model): Model;
}

/** Asks the person to choose one of a list. */
export const openChooser = (model: Model, overlay: Omit<OverlayOf<'choose'>, 'kind' | 'field' | 'selected'>): Step =>
  step({ ...model, overlay: { kind: 'choose', field: field(), selected: 0, ...overlay } });

/** Asks the person for a text. */
export const openInput = (model: Model, overlay: Omit<OverlayOf<'input'>, 'kind' | 'mayBeEmpty' | 'label'>): Step =>
  step({ ...model, overlay: { kind: 'input', mayBeEmpty: true, label: 'keep', ...overlay } });
