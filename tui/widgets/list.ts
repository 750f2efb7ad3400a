import type { Binding } from '../model/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import type { Model, Size } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { type Step, step } from '../model/step.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from './bodySize.ts';
import { type Column, filterItems, type Head, headTitle, sortItems } from './columns.ts';
import { movementBindings } from './movement.ts';
import { selectableRow } from './selectable.ts';
import { type SortState, sortKeys } from './sortKeys.ts';

/** Where a person is in a list. The selection is a thing, not a row number: what comes above it does not move it. */
export interface ListState extends SortState {
  readonly selected?: string;
  /** Its last row, for when it is gone. */
  readonly index: number;
  readonly filter: Field;
  readonly filtering: boolean;
}

export const LIST_START: ListState = { index: 0, filter: field(), filtering: false };

export interface ListOptions<T> {
  /** Begins the ids of its bindings. */
  readonly name: string;
  readonly state: ScreenState<ListState>;
  items(model: Model): readonly T[];
  keyOf(item: T): string;
  /** All that a row shows: `/` looks in it, and `S` sorts by it. */
  readonly columns: readonly Column<T>[];
  /** True where no line above names the columns: then the list says itself by what it is sorted. */
  readonly headless?: true;
  /** What `/` finds although no column shows it: a whole id, a path. */
  also?(item: T): string;
}

export interface List<T> {
  /** Those that the filter leaves, as they are sorted. */
  rows(model: Model): readonly T[];
  selected(model: Model): T | undefined;
  /** Selects the one below. */
  next(model: Model): Model;
  /** Names the columns; the one that is sorted by says so. */
  head(model: Model): Head;
  /** Moving, filtering and sorting. */
  readonly bindings: readonly Binding[];
  /** Only the rows that are seen are drawn. `draw` gets the width that is left for it. */
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line, empty: string): Line[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** `row` is within the list. A click on what is selected is undefined, so that the screen may open it. */
  onMouse(model: Model, at: { action: 'click' | 'up' | 'down'; row: number }, size: Size): Step | undefined;
}

export function createList<T>(options: ListOptions<T>): List<T> {
  const { name, state, items, keyOf, columns, also, headless } = options;
  /** Of the last model: one key asks for them several times. */
  let last: { readonly model: Model; readonly all: readonly T[]; readonly rows: readonly T[] } | undefined;

  function rows(model: Model): readonly T[] {
    const all = items(model);
    if (last?.model === model && last.all === all) return last.rows;
    const { filter, sorting } = state.get(model);
    const found = sortItems(model, filterItems(model, all, filter.text, columns, also), columns, sorting);
    last = { model, all, rows: found };
    return found;
  }

  function indexOf(model: Model, shown: readonly T[]): number {
    const { selected, index } = state.get(model);
    const found = selected === undefined ? -1 : shown.findIndex((item) => keyOf(item) === selected);
    return found >= 0 ? found : Math.max(0, Math.min(index, shown.length - 1));
  }

  function select(model: Model, index: number): Model {
    const shown = rows(model);
    const to = Math.max(0, Math.min(index, shown.length - 1));
    const item = shown[to];
    return state.set(model, { index: to, selected: item === undefined ? undefined : keyOf(item) });
  }

  const by = (model: Model, count: number) => step(select(model, indexOf(model, rows(model)) + count));
  const page = (model: Model) => Math.max(1, bodySize(model).rows - 3);

  function top(model: Model, height: number): number {
    const shown = rows(model);
    const middle = indexOf(model, shown) - Math.floor(height / 2);
    return Math.max(0, Math.min(middle, shown.length - height));
  }

  /** What is typed, and the order where nothing else says it. */
  function barOf(model: Model, cells: number): Line[] {
    const { filter, filtering, sorting } = state.get(model);
    const isFiltered = filtering || filter.text !== '';
    const order = headless && sorting ? `sorted by ${headTitle(sorting)(sorting.by)}` : '';
    if (!isFiltered && order === '') return [];
    const words = isFiltered ? [span('/', theme.key), filter.text, filtering && span(' ', theme.marked), '  '] : [' '];
    return [fitWidth(line(...words, span(order, theme.muted)), cells)];
  }

  const move = movementBindings(name);

  return {
    rows,
    selected(model) {
      const shown = rows(model);
      return shown[indexOf(model, shown)];
    },
    next: (model) => by(model, 1).model,
    bindings: [
      move('down', ['j', 'down'], 'Select the next one', (model) => by(model, 1)),
      move('up', ['k', 'up'], 'Select the one before', (model) => by(model, -1)),
      move('page down', ['C-d', 'pagedown'], 'Go down a page', (model) => by(model, page(model))),
      move('page up', ['C-u', 'pageup'], 'Go up a page', (model) => by(model, -page(model))),
      move('first', ['g', 'home'], 'Select the first', (model) => step(select(model, 0))),
      move('last', ['G', 'end'], 'Select the last', (model) => step(select(model, rows(model).length - 1))),
      {
        ...{ id: `${name}.filter`, keys: ['/'], label: 'filter', footer: true },
        help: 'Show only what contains all the words typed; Esc shows everything again',
        run: (model) => step(state.set(model, { filtering: true })),
      },
      ...sortKeys(
        name,
        state,
        columns.map(({ title }) => title),
      ),
    ],
    head: (model) => headTitle(state.get(model).sorting),
    view(model, size, draw, empty) {
      const shown = rows(model);
      const { filter } = state.get(model);
      const bar = barOf(model, size.columns);
      const height = size.rows - bar.length;
      if (shown.length === 0) {
        const why = filter.text === '' ? empty : 'Nothing matches. Esc shows everything.';
        return [...bar, line(span(`  ${why}`, theme.muted))];
      }
      const from = top(model, height);
      const at = indexOf(model, shown);
      const lines = shown
        .slice(from, from + height)
        .map((item, nth) => selectableRow(draw(item, size.columns - 1), from + nth === at, size.columns));
      return [...bar, ...lines];
    },
    typing: (model) => state.get(model).filtering,
    onKey(model, key) {
      const { filter, filtering } = state.get(model);
      if (!filtering) {
        if (key !== 'escape' || filter.text === '') return undefined;
        return step(state.set(model, { filter: field() }));
      }
      if (key === 'escape') return step(state.set(model, { filtering: false, filter: field() }));
      if (key === 'enter') return step(state.set(model, { filtering: false }));
      if (key === 'down' || key === 'up') return by(model, key === 'down' ? 1 : -1);
      const next = typed(filter, key);
      return next && step(select(state.set(model, { filter: next }), 0));
    },
    onMouse(model, { action, row }, size) {
      if (action === 'down') return by(model, 1);
      if (action === 'up') return by(model, -1);
      const bar = barOf(model, size.columns).length;
      const shown = rows(model);
      const index = top(model, size.rows - bar) + row - bar;
      if (row < bar || index >= shown.length || index === indexOf(model, shown)) return undefined;
      return step(select(model, index));
    },
  };
}
