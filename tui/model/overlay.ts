import type { Line } from '../text/line.ts';
import type { Field } from './field.ts';
import type { Model } from './model.ts';
import type { Step } from './step.ts';

/** One of several things to choose from. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** A few words behind it. */
  readonly description?: string;
}

/** What lies over the screen and has the keyboard. */
export type Overlay =
  | {
      readonly kind: 'confirm';
      readonly question: string;
      /** What will happen, and what will not. */
      readonly detail?: string;
      /** What it is about, one by one; what has no room is scrolled to. */
      readonly list?: readonly Line[];
      readonly top?: number;
      /** The key that says yes; every other one says no. */
      readonly yes: string;
      /** What it does, in a word or two: `abort the run`. */
      readonly label?: string;
      readonly then: (model: Model) => Step;
    }
  | {
      readonly kind: 'input';
      readonly title: string;
      readonly field: Field;
      /** False keeps it open while nothing is typed. */
      readonly mayBeEmpty: boolean;
      /** A sentence below the field. */
      readonly description?: string;
      /** What Enter does; absent: `send`. */
      readonly label?: string;
      /** Tab goes on with a path. */
      readonly complete?: 'files' | 'directories';
      /** What the path may go on to, after a Tab. */
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
  /** Something to read, until any key that does not scroll. */
  | { readonly kind: 'message'; readonly title: string; readonly lines: readonly Line[]; readonly top: number }
  | { readonly kind: 'help'; readonly top: number };

export type OverlayOf<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;
