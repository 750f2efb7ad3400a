import type { Binding } from '../model/binding.ts';
import { type Model, type Size, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from './bodySize.ts';
import { type Column, filterItems, type Head, headTitle, sortItems } from './columns.ts';
import { createFilter, FILTER_START, type FilterState, NOTHING_MATCHES } from './filter.ts';
import { createSelectableList, type MouseInList, rowsOf } from './selectableList.ts';
import { type SortState, sortKeys } from './sortKeys.ts';

/** The selection is an item, not a row number: new rows above it do not move it. */
export interface ListState extends SortState, FilterState {
  readonly selected?: string;
  /** The row it was in last, for when the item is gone. */
  readonly index: number;
}

/** The keys that open an item of a list. */
export const OPEN_KEYS = ['enter', 'l', 'right'];

export const LIST_START: ListState = { index: 0, ...FILTER_START };

export interface ListOptions<T> {
  /** Begins the ids of its bindings. */
  readonly name: string;
  readonly state: ScreenState<ListState>;
  items(model: Model): readonly T[];
  keyOf(item: T): string;
  /** All that a row shows. The filter searches these, and `S` sorts by them. */
  readonly columns: readonly Column<T>[];
  /** True for a list without a line of column titles. It then shows its order itself. */
  readonly headless?: true;
  /** Texts that the filter also searches, although no column shows them: a whole id, a path. */
  also?(item: T): string;
  /** True for an item that the daemon found by the words of the filter. */
  isFound?(model: Model, item: T): boolean;
}

/** A selectable list of items that can be filtered and sorted. */
export interface List<T> {
  /** The items that the filter leaves, sorted. */
  rows(model: Model): readonly T[];
  selected(model: Model): T | undefined;
  /** Selects the next item. */
  next(model: Model): Model;
  /** Selects the shown item by its key, if nothing is selected or the selected one is gone: a new order then moves no selection. */
  settled(model: Model): Model;
  /** A binding that acts on the selected item. `none` says why it cannot run without one. */
  action(binding: Omit<Binding, 'disabled' | 'run'>, none: string, run: (model: Model, item: T) => Step): Binding;
  /** The titles of the columns, with an arrow at the one it is sorted by. */
  head(model: Model): Head;
  readonly bindings: readonly Binding[];
  /** Draws only visible rows. `draw` gets the width that is left for it. */
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line, empty: string): Line[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** `row` is within the list. A click on the selected row is undefined, so that the screen can open it. */
  onMouse(model: Model, at: MouseInList, size: Size): Step | undefined;
}

export function createList<T>(options: ListOptions<T>): List<T> {
  const { name, state, items, keyOf, columns, also, isFound, headless } = options;
  /** The last answer. Each key asks for the rows several times. */
  let last: { readonly model: Model; readonly all: readonly T[]; readonly rows: readonly T[] } | undefined;

  function rows(model: Model): readonly T[] {
    const all = items(model);
    if (last?.model === model && last.all === all) return last.rows;
    const { filter, sorting } = state.get(model);
    const more = { also, isFound: isFound && ((item: T) => isFound(model, item)) };
    const found = sortItems(model, filterItems(model, all, filter.text, columns, more), columns, sorting);
    last = { model, all, rows: found };
    return found;
  }

  const list = createSelectableList<T>({
    name,
    rows: (model) => rowsOf(rows(model)),
    indexOf(model, { count }) {
      const { selected, index } = state.get(model);
      const found = selected === undefined ? -1 : rows(model).findIndex((item) => keyOf(item) === selected);
      return found >= 0 ? found : Math.max(0, Math.min(index, count - 1));
    },
    select(model, index, shown) {
      const item = shown.at(index);
      return state.set(model, { index, selected: item === undefined ? undefined : keyOf(item) });
    },
    page: (model) => Math.max(1, bodySize(model).rows - 3),
    pageName: 'a page',
  });

  const filter = createFilter({
    name,
    state,
    footer: true,
    help: 'Show only rows that contain all the words typed; Esc shows everything again',
    move: list.move,
    changed: (model) => list.select(model, 0),
  });

  /** The filter, and the order where no column title shows it. */
  function barOf(model: Model, cells: number): Line[] {
    const { sorting } = state.get(model);
    const order = headless && sorting ? `sorted by ${headTitle(sorting)(sorting.by)}` : '';
    if (!filter.isActive(model) && order === '') return [];
    const words = filter.isActive(model) ? filter.words(model) : [span(' ')];
    return [fitWidth(line(...words, span(order, theme.muted)), cells)];
  }

  return {
    rows,
    selected: list.selected,
    next: (model) => list.move(model, 1),
    settled(model) {
      const item = list.selected(model);
      if (item === undefined || keyOf(item) === state.get(model).selected) return model;
      return state.set(model, { selected: keyOf(item), index: rows(model).indexOf(item) });
    },
    action: (binding, none, run) => ({
      ...binding,
      disabled: (model) => (list.selected(model) === undefined ? none : undefined),
      run(model) {
        const item = list.selected(model);
        return item === undefined ? step(model) : run(model, item);
      },
    }),
    bindings: [
      ...list.bindings,
      filter.binding,
      ...sortKeys(
        name,
        state,
        columns.map(({ title }) => title),
      ),
    ],
    head: (model) => headTitle(state.get(model).sorting),
    view(model, size, draw, empty) {
      const bar = barOf(model, size.columns);
      if (rows(model).length === 0) {
        const why = state.get(model).filter.text === '' ? empty : NOTHING_MATCHES;
        return [...bar, line(span(`  ${why}`, theme.muted))];
      }
      return [...bar, ...list.view(model, { ...size, rows: size.rows - bar.length }, draw)];
    },
    typing: filter.isTyping,
    onKey: filter.onKey,
    onMouse(model, { action, row }, size) {
      const bar = barOf(model, size.columns).length;
      return list.onMouse(model, { action, row: row - bar }, size.rows - bar);
    },
  };
}
