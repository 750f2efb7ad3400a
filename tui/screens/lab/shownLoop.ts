import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { IterationRow } from '../../../schemas/rpc/views/backtest.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';

/** The page over the list of iterations: one of them, or two side by side. */
export type Opened =
  | { readonly kind: 'iteration'; readonly iteration: number }
  | { readonly kind: 'comparison'; readonly a: number; readonly b: number };

export interface LoopState {
  readonly opened: Opened | undefined;
  /** The iteration that others are compared with; the base unless a person marks another. */
  readonly marked: number;
}

export const loopState = screenState<LoopState>('loop', { opened: undefined, marked: 0 });

export function loopQuery({ place }: Model): QueryOf<'backtest.show'> {
  return query('backtest.show', { runId: place.id ?? '' });
}

/** The whole iteration is read with the list: an answer is for one query. */
export function openedQuery({ place }: Model, opened: Opened): QueryOf<'backtest.show'> | QueryOf<'backtest.compare'> {
  const runId = place.id ?? '';
  return opened.kind === 'iteration'
    ? query('backtest.show', { runId, iteration: opened.iteration })
    : query('backtest.compare', { runId, a: opened.a, b: opened.b });
}

export function shownLoop(model: Model): RpcResult<'backtest.show'> | undefined {
  return answerOf(model.data, loopQuery(model));
}

const NONE: readonly IterationRow[] = [];

export function iterationsOf(model: Model): readonly IterationRow[] {
  return shownLoop(model)?.iterations ?? NONE;
}
