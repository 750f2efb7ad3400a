import type { Binding } from '../keys/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import type { Model, Size } from '../model/model.ts';
import { bodySize } from '../model/size.ts';
import { type Step, step } from '../model/step.ts';
import type { ScreenState } from '../screens/state.ts';
import { type Line, line, sized, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { movementsOf } from './movement.ts';
import { selectable } from './selectable.ts';

/** Where a person is in a list. The selection is a thing, not a row number: what comes above it does not move it. */
export interface ListState {
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
  /** What `/` looks in. */
  textOf(item: T): string;
}

export interface List<T> {
  /** Those that the filter leaves. */
  rows(model: Model): readonly T[];
  selected(model: Model): T | undefined;
  /** Moving and filtering. */
  readonly bindings: readonly Binding[];
  /** Only the rows that are seen are drawn. `draw` gets the width that is left for it. */
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line, empty: string): Line[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** `row` is within the list. A click on what is selected is undefined, so that the screen may open it. */
  onMouse(model: Model, at: { action: 'click' | 'up' | 'down'; row: number }, size: Size): Step | undefined;
}

export function createList<T>(options: ListOptions<T>): List<T> {
  const { name, state, items, keyOf, textOf } = options;

  function rows(model: Model): readonly T[] {
    const words = state.get(model).filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return items(model);
    return items(model).filter((item) => {
      const text = textOf(item).toLowerCase();
      return words.every((word) => text.includes(word));
    });
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

  const move = movementsOf(name);

  return {
    rows,
    selected(model) {
      const shown = rows(model);
      return shown[indexOf(model, shown)];
    },
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
    ],
    view(model, size, draw, empty) {
      const shown = rows(model);
      const { filter, filtering } = state.get(model);
      const bar: Line[] =
        filtering || filter.text !== ''
          ? [sized(line(span('/', theme.key), filter.text, filtering && span(' ', theme.marked)), size.columns)]
          : [];
      const height = size.rows - bar.length;
      if (shown.length === 0) {
        const why = filter.text === '' ? empty : 'Nothing matches. Esc shows everything.';
        return [...bar, line(span(`  ${why}`, theme.muted))];
      }
      const from = top(model, height);
      const at = indexOf(model, shown);
      const lines = shown
        .slice(from, from + height)
        .map((item, nth) => selectable(draw(item, size.columns - 1), from + nth === at, size.columns));
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
      const { filter, filtering } = state.get(model);
      const bar = filtering || filter.text !== '' ? 1 : 0;
      const shown = rows(model);
      const index = top(model, size.rows - bar) + row - bar;
      if (row < bar || index >= shown.length || index === indexOf(model, shown)) return undefined;
      return step(select(model, index));
    },
  };
}
