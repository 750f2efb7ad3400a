import type { Line } from '../text/line.ts';
import type { Binding } from './binding.ts';
import type { Model, ScreenId, Size } from './model.ts';
import type { Query } from './query.ts';
import type { Step } from './step.ts';

/** What is followed as it comes, besides what is read. */
export type Stream =
  | { readonly type: 'events'; readonly runId: string }
  | { readonly type: 'transcript'; readonly sessionId: string; readonly runId: string };

/** One screen: pure, from the model to lines and from keys to a step. */
export interface Screen {
  readonly id: ScreenId;
  /** The tab that is lit while the screen is shown: its own id, if it has a tab. */
  readonly tab: ScreenId;
  /** The key that opens it from every screen. A screen about one run, gate or session has none. */
  readonly key?: { readonly key: string; readonly label: string; readonly help: string };
  /** For the header and the palette. */
  title(model: Model): string;
  /** Kept fresh while the screen is shown. */
  queries(model: Model): readonly Query[];
  streams?(model: Model): readonly Stream[];
  /** When it next shows something else although nothing has happened; undefined where no time is shown. */
  changesAt?(model: Model): number | undefined;
  readonly bindings: readonly Binding[];
  /** Lines for the whole body, at most `size.rows` of `size.columns` cells each. */
  view(model: Model, size: Size): readonly Line[];
  /** True while keys are text: then `onKey` gets all of them first. */
  typing?(model: Model): boolean;
  /** A key that no binding stands for; undefined when it means nothing. */
  onKey?(model: Model, key: string): Step | undefined;
  /** Row and column count from the body's upper left corner. */
  onMouse?(
    model: Model,
    at: { action: 'click' | 'up' | 'down'; row: number; column: number },
    size: Size,
  ): Step | undefined;
}
