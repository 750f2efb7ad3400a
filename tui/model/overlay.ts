import type { Line } from '../text/line.ts';
import type { Field } from './field.ts';
import type { Model } from './model.ts';
import type { Step } from './step.ts';

/** One item to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** A short description next to the label. */
  readonly description?: string;
}

/** A window over the screen that gets every key. */
export type Overlay =
  | {
      readonly kind: 'confirm';
      readonly question: string;
      /** What happens on yes, and what does not. */
      readonly detail?: string;
      /** The affected items. A long list can be scrolled. */
      readonly list?: readonly Line[];
      readonly top?: number;
      /** The key that confirms. Every other key cancels. */
      readonly yes: string;
      /** What the key does, such as `abort the run`. */
      readonly label?: string;
      readonly then: (model: Model) => Step;
    }
  | {
      readonly kind: 'input';
      readonly title: string;
      readonly field: Field;
      /** False: Enter does nothing while the field is empty. */
      readonly mayBeEmpty: boolean;
      /** A sentence below the field. */
      readonly description?: string;
      /** What Enter does. Absent: `send`. */
      readonly label?: string;
      /** Tab completes a path. */
      readonly complete?: 'files' | 'directories';
      /** The names that Tab found. */
      readonly names?: readonly string[];
      readonly then: (model: Model, text: string) => Step;
    }
  | {
      readonly kind: 'choose';
      readonly title: string;
      readonly choices: readonly Choice[];
      readonly field: Field;
      readonly selected: number;
      readonly then: (model: Model, value: string) => Step;
    }
  | { readonly kind: 'palette'; readonly field: Field; readonly selected: number }
  /** A text to read. Any key that does not scroll closes it. */
  | { readonly kind: 'message'; readonly title: string; readonly lines: readonly Line[]; readonly top: number }
  | { readonly kind: 'help'; readonly top: number };

export type OverlayOf<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;
