import type { Field } from './field.ts';
import type { Model } from './model.ts';
import type { Step } from './step.ts';

/** What lies over the screen and has the keyboard. */
export type Overlay =
  | {
      readonly kind: 'confirm';
      readonly question: string;
      readonly detail?: string;
      /** The key that says yes; every other one says no. */
      readonly yes: string;
      readonly then: (model: Model) => Step;
    }
  | {
      readonly kind: 'input';
      readonly title: string;
      readonly field: Field;
      /** False keeps it open while nothing is typed. */
      readonly mayBeEmpty: boolean;
      readonly then: (model: Model, text: string) => Step;
    }
  | { readonly kind: 'palette'; readonly field: Field; readonly selected: number }
  | { readonly kind: 'help'; readonly top: number };
