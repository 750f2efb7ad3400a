import type { ReviewedGate } from '../../schemas/comments/draft.ts';
import type { Line } from '../text/line.ts';
import type { Binding } from './binding.ts';
import type { Model, ScreenId, Size, Step } from './model.ts';
import type { Query } from './query.ts';

/** Data that the daemon pushes, besides the queries. */
export type Stream =
  | { readonly type: 'events'; readonly runId: string }
  | { readonly type: 'transcript'; readonly sessionId: string; readonly runId: string }
  /** The drafts of a gate. */
  | { readonly type: 'review'; readonly gate: ReviewedGate }
  /** The contract files of a repository. */
  | { readonly type: 'contracts'; readonly repo: string };

/** One screen. Pure: it makes lines from the model, and a step from a key. */
export interface Screen {
  readonly id: ScreenId;
  /** The tab that is lit while the screen is shown: its own id, if it has a tab. */
  readonly tab: ScreenId;
  /** The key that opens it from every screen. A screen about one run, gate or session has none. */
  readonly key?: {
    readonly key: string;
    readonly label: string;
    readonly help: string;
    /** What the key does once the screen is shown. */
    then?(model: Model): Step;
  };
  /** For the header and the palette. */
  title(model: Model): string;
  /** The answers are kept fresh while the screen is shown. */
  queries(model: Model): readonly Query[];
  streams?(model: Model): readonly Stream[];
  /** When passing time next changes what it shows; undefined where it shows no time. */
  changesAt?(model: Model): number | undefined;
  /** After each event while the screen is shown: the model with what it must remember of this moment. */
  noticed?(before: Model, model: Model): Model;
  readonly bindings: readonly Binding[];
  /** At most `size.rows` lines of `size.columns` cells. */
  view(model: Model, size: Size): readonly Line[];
  /** True while one types text. Then `onKey` gets every key first. */
  typing?(model: Model): boolean;
  /** Handles a key without a binding; undefined when it does nothing. */
  onKey?(model: Model, key: string): Step | undefined;
  /** Row and column are counted from the upper left corner of the body. */
  onMouse?(
    model: Model,
    at: { action: 'click' | 'up' | 'down'; row: number; column: number },
    size: Size,
  ): Step | undefined;
}
