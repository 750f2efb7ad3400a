import type { Binding } from '../model/binding.ts';
import type { Model, Size } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { type Step, step } from '../model/step.ts';
import type { Line } from '../text/line.ts';
import { movementBindings } from './movement.ts';
import { selectableRow } from './selectable.ts';

/** A row of a text; one with a key can be selected. */
export interface PickRow {
  readonly line: Line;
  readonly key?: string;
}

export interface PickState {
  readonly selected?: string;
}

/** A text of headings and things, in which a person goes from thing to thing. */
export interface Picks {
  readonly bindings: readonly Binding[];
  /** The key of the row that is selected. */
  selected(model: Model): string | undefined;
  view(model: Model, size: Size): Line[];
  /** `row` is within the text as it is seen. A click on what is selected is undefined. */
  onMouse(model: Model, at: { action: 'click' | 'up' | 'down'; row: number }, size: Size): Step | undefined;
}

export function createPicks(options: {
  name: string;
  state: ScreenState<PickState>;
  rows(model: Model): readonly PickRow[];
  height(model: Model): number;
}): Picks {
  const { name, state, rows, height } = options;

  function indexOf(model: Model, all: readonly PickRow[]): number {
    const { selected } = state.get(model);
    const found = selected === undefined ? -1 : all.findIndex(({ key }) => key === selected);
    return found >= 0 ? found : all.findIndex(({ key }) => key !== undefined);
  }

  /** From one thing to the next, as often as asked; at the ends it stays. */
  function by(model: Model, count: number): Step {
    const all = rows(model);
    const keys = all.flatMap(({ key }) => (key === undefined ? [] : [key]));
    const at = keys.indexOf(all[indexOf(model, all)]?.key ?? '');
    const to = Math.max(0, Math.min(at + count, keys.length - 1));
    return step(state.set(model, { selected: keys[to] }));
  }

  function top(model: Model, seen: number, all: readonly PickRow[]): number {
    const at = indexOf(model, all);
    const isFirst = all.findIndex(({ key }) => key !== undefined) === at;
    return isFirst ? 0 : Math.max(0, Math.min(at - (seen >> 1), all.length - seen));
  }

  const page = (model: Model) => Math.max(1, height(model) >> 1);
  const move = movementBindings(name);

  return {
    bindings: [
      move('down', ['j', 'down'], 'Select the next one', (model) => by(model, 1)),
      move('up', ['k', 'up'], 'Select the one before', (model) => by(model, -1)),
      move('page down', ['C-d', 'pagedown'], 'Go down half a page', (model) => by(model, page(model))),
      move('page up', ['C-u', 'pageup'], 'Go up half a page', (model) => by(model, -page(model))),
      move('first', ['g', 'home'], 'Select the first', (model) => by(model, Number.NEGATIVE_INFINITY)),
      move('last', ['G', 'end'], 'Select the last', (model) => by(model, rows(model).length)),
    ],
    selected(model) {
      const all = rows(model);
      return all[indexOf(model, all)]?.key;
    },
    view(model, { columns, rows: seen }) {
      const all = rows(model);
      const at = indexOf(model, all);
      const from = top(model, seen, all);
      return all.slice(from, from + seen).map(({ line: text }, nth) => selectableRow(text, from + nth === at, columns));
    },
    onMouse(model, { action, row }, { rows: seen }) {
      if (action !== 'click') return by(model, action === 'down' ? 1 : -1);
      const all = rows(model);
      const at = top(model, seen, all) + row;
      const key = all[at]?.key;
      return key === undefined || at === indexOf(model, all) ? undefined : step(state.set(model, { selected: key }));
    },
  };
}
