import type { Binding } from '../model/binding.ts';
import type { Model, Size, Step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { createFilter, FILTER_START, type FilterState, NOTHING_MATCHES } from './filter.ts';
import { createSelectableList, type MouseInList, type Rows } from './selectableList.ts';

export interface LogState extends FilterState {
  readonly index: number;
  /** True while the newest line is selected and stays selected as more lines come. */
  readonly follow: boolean;
}

export const LOG_START: LogState = { index: 0, follow: true, ...FILTER_START };

/** A selectable list that only grows. Rows that are not visible cost nothing. */
export interface LogList<T> {
  readonly bindings: readonly Binding[];
  selected(model: Model): T | undefined;
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line, empty: string): Line[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  onMouse(model: Model, at: MouseInList, size: Size): Step | undefined;
}

export function createLog<T>(options: {
  name: string;
  state: ScreenState<LogState>;
  /** The first `count` of `items`; the array may grow meanwhile. */
  source(model: Model): { readonly items: readonly T[]; readonly count: number };
  textOf(item: T, model: Model): string;
  height(model: Model): number;
}): LogList<T> {
  const { name, state, source, textOf, height } = options;

  function rows(model: Model): Rows<T> {
    const { items, count } = source(model);
    const query = state.get(model).filter.text.trim();
    if (query === '') return { count, at: (index) => (index < count ? items[index] : undefined) };
    const hits = logMatches(items, count, query, (item) => textOf(item, model));
    return { count: hits.length, at: (index) => items[hits[index] ?? -1] };
  }

  function indexOf(model: Model, { count }: Rows<T>): number {
    const { index, follow } = state.get(model);
    return follow ? count - 1 : Math.max(0, Math.min(index, count - 1));
  }

  const list = createSelectableList<T>({
    name,
    rows,
    indexOf,
    select: (model, index, { count }) => state.set(model, { index, follow: index >= count - 1 }),
    page: (model) => Math.max(1, height(model) - 2),
    pageName: 'a page',
    wheel: 3,
    helpOfLast: 'Select the newest, and follow new ones',
  });

  const follow = (model: Model) => state.set(model, { follow: true });
  const filter = createFilter({
    name,
    state,
    help: 'Show only rows that contain all the words typed',
    move: list.move,
    changed: follow,
    cleared: follow,
  });

  return {
    bindings: [...list.bindings, filter.binding],
    selected: list.selected,
    view(model, { columns, rows: height }, draw, empty) {
      const shown = rows(model);
      const isFiltered = filter.isActive(model);
      const following = state.get(model).follow;
      const at = following ? shown.count : indexOf(model, shown) + 1;
      const where = `${at} of ${shown.count}${isFiltered ? ' found' : ''}${following ? ', following' : ''}`;
      const bar = fitWidth(line(' ', ...filter.words(model), span(where, theme.muted)), columns);
      if (shown.count === 0) return [bar, line(span(`  ${isFiltered ? NOTHING_MATCHES : empty}`, theme.muted))];
      return [bar, ...list.view(model, { columns, rows: height - 1 }, draw)];
    },
    typing: filter.isTyping,
    onKey: filter.onKey,
    onMouse: (model, { action, row }, size) => list.onMouse(model, { action, row: row - 1 }, size.rows - 1),
  };
}

/** The matches found so far in a list that only grows. */
interface Found {
  readonly query: string;
  readonly hits: number[];
  upTo: number;
}

const newest = new WeakMap<object, Found>();

/**
 * The indexes of the first `count` items that contain all the words. Items are searched once: a new call searches only
 * new items, and a longer query only the earlier matches.
 */
function logMatches<T>(
  items: readonly T[],
  count: number,
  query: string,
  textOf: (item: T) => string,
): readonly number[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isHit = (at: number) => {
    const text = textOf(items[at] as T).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const before = newest.get(items);
  const isSame = before?.query === query;
  const isNarrower = before !== undefined && before.query !== '' && query.startsWith(before.query);
  const found: Found = isSame
    ? before
    : { query, hits: isNarrower ? before.hits.filter(isHit) : [], upTo: isNarrower ? before.upTo : 0 };
  for (let at = found.upTo; at < count; at += 1) if (isHit(at)) found.hits.push(at);
  found.upTo = Math.max(found.upTo, count);
  newest.set(items, found);
  return found.hits;
}
