import type { Binding } from '../model/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import type { Model, Size } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { type Step, step } from '../model/step.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { logMatches } from './logMatches.ts';
import { movementBindings } from './movement.ts';
import { selectableRow } from './selectable.ts';

/** Where a person is in a log. While `follow` the newest line is selected, and stays so as more come. */
export interface LogState {
  readonly index: number;
  readonly follow: boolean;
  readonly filter: Field;
  readonly filtering: boolean;
}

export const LOG_START: LogState = { index: 0, follow: true, filter: field(), filtering: false };

/** A list that only grows, however long: what is not seen costs nothing. */
export interface LogList<T> {
  readonly bindings: readonly Binding[];
  selected(model: Model): T | undefined;
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line, empty: string): Line[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  onMouse(model: Model, at: { action: 'click' | 'up' | 'down'; row: number }, size: Size): Step | undefined;
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

  function shown(model: Model): { count: number; at(index: number): T | undefined } {
    const { items, count } = source(model);
    const query = state.get(model).filter.text.trim();
    if (query === '') return { count, at: (index) => (index < count ? items[index] : undefined) };
    const hits = logMatches(items, count, query, (item) => textOf(item, model));
    return { count: hits.length, at: (index) => items[hits[index] ?? -1] };
  }

  function indexOf(model: Model, count: number): number {
    const { index, follow } = state.get(model);
    return follow ? count - 1 : Math.max(0, Math.min(index, count - 1));
  }

  function select(model: Model, index: number): Model {
    const last = shown(model).count - 1;
    return state.set(model, { index: Math.max(0, Math.min(index, last)), follow: index >= last });
  }

  const by = (model: Model, lines: number) => step(select(model, indexOf(model, shown(model).count) + lines));
  const page = (model: Model) => Math.max(1, height(model) - 2);
  const top = (at: number, rows: number, count: number) =>
    Math.max(0, Math.min(at - (rows >> 1), Math.max(0, count - rows)));
  const move = movementBindings(name);

  return {
    bindings: [
      move('down', ['j', 'down'], 'Select the next one', (model) => by(model, 1)),
      move('up', ['k', 'up'], 'Select the one before', (model) => by(model, -1)),
      move('page down', ['C-d', 'pagedown'], 'Go down a page', (model) => by(model, page(model))),
      move('page up', ['C-u', 'pageup'], 'Go up a page', (model) => by(model, -page(model))),
      move('first', ['g', 'home'], 'Select the first', (model) => step(select(model, 0))),
      move('last', ['G', 'end'], 'Select the newest, and follow what comes', (model) =>
        step(state.set(model, { follow: true })),
      ),
      {
        ...{ id: `${name}.filter`, keys: ['/'], label: 'filter', help: 'Show only what contains all the words typed' },
        run: (model) => step(state.set(model, { filtering: true })),
      },
    ],
    selected(model) {
      const { count, at } = shown(model);
      return at(indexOf(model, count));
    },
    view(model, { columns, rows }, draw, empty) {
      const { filter, filtering, follow } = state.get(model);
      const { count, at } = shown(model);
      const isFiltered = filtering || filter.text !== '';
      const words = isFiltered && [span('/', theme.key), span(filter.text), filtering && span(' ', theme.marked)];
      const index = indexOf(model, count);
      const where = `${follow ? 'following' : `${index + 1}`} of ${count}${isFiltered ? ' found' : ''}`;
      const bar = fitWidth(line(...(words || []), isFiltered && '  ', span(where, theme.muted)), columns);
      if (count === 0)
        return [bar, line(span(`  ${isFiltered ? 'Nothing matches. Esc shows everything.' : empty}`, theme.muted))];
      const from = top(index, rows - 1, count);
      const lines = Array.from({ length: Math.min(rows - 1, count - from) }, (_, nth) => {
        const item = at(from + nth);
        const text = item === undefined ? [] : draw(item, columns - 1);
        return selectableRow(text, from + nth === index, columns);
      });
      return [bar, ...lines];
    },
    typing: (model) => state.get(model).filtering,
    onKey(model, key) {
      const { filter, filtering } = state.get(model);
      const all = { filter: field(), filtering: false, follow: true };
      if (!filtering) return key === 'escape' && filter.text !== '' ? step(state.set(model, all)) : undefined;
      if (key === 'escape') return step(state.set(model, all));
      if (key === 'enter') return step(state.set(model, { filtering: false }));
      if (key === 'down' || key === 'up') return by(model, key === 'down' ? 1 : -1);
      const next = typed(filter, key);
      return next && step(state.set(model, { filter: next, follow: true }));
    },
    onMouse(model, { action, row }, { rows }) {
      if (action !== 'click') return by(model, action === 'down' ? 3 : -3);
      const { count } = shown(model);
      const index = indexOf(model, count);
      const to = top(index, rows - 1, count) + row - 1;
      return row < 1 || to >= count || to === index ? undefined : step(select(model, to));
    },
  };
}
