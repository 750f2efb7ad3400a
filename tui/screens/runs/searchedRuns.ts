import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { Model } from '../../model/model.ts';
import type { ScreenState } from '../../model/place.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';
import { memoize } from '../../text/memoize.ts';
import type { FilterState } from '../../widgets/filter.ts';

const NONE: readonly RunSummary[] = [];
/** The daemon takes no more. */
const MOST_LETTERS = 200;
const LIMIT = 1000;

/** The runs that the daemon finds by the words of a list's filter. It also reads requirements, and runs beyond the list. */
export interface RunSearch {
  /** Asked once the words are typed, and not after each letter. */
  queries(model: Model): QueryOf<'run.list'>[];
  runs(model: Model): readonly RunSummary[];
  has(model: Model, runId: string): boolean;
}

export function createRunSearch(state: ScreenState<FilterState>): RunSearch {
  function queries(model: Model): QueryOf<'run.list'>[] {
    const { filter, filtering } = state.get(model);
    const search = filter.text.trim();
    const isAsked = !filtering && search !== '' && search.length <= MOST_LETTERS;
    return isAsked ? [query('run.list', { search, limit: LIMIT })] : [];
  }
  function runs(model: Model): readonly RunSummary[] {
    const [asked] = queries(model);
    return (asked && answerOf(model.data, asked)) ?? NONE;
  }
  return { queries, runs, has: (model, runId) => idsOf(runs(model)).has(runId) };
}

const idsOf = memoize((runs: readonly RunSummary[]): ReadonlySet<string> => new Set(runs.map(({ runId }) => runId)));

/** Both, without the second of two. The same arrays give the same array, so that nothing is sorted again. */
export function createUnion(): (runs: readonly RunSummary[], more: readonly RunSummary[]) => readonly RunSummary[] {
  let last: { runs: readonly RunSummary[]; more: readonly RunSummary[]; all: readonly RunSummary[] } | undefined;
  return (runs, more) => {
    if (last?.runs === runs && last.more === more) return last.all;
    const known = idsOf(runs);
    const others = more.filter(({ runId }) => !known.has(runId));
    last = { runs, more, all: others.length === 0 ? runs : [...runs, ...others] };
    return last.all;
  };
}
