import type { Binding } from '../model/binding.ts';
import type { Model, Size, Step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import type { Line } from '../text/line.ts';
import { createSelectableList, type MouseInList, type Rows } from './selectableList.ts';

/** A row with a key can be selected; one without is a heading. */
export interface HeadedRow {
  readonly line: Line;
  readonly key?: string;
}

export interface HeadedListState {
  readonly selected?: string;
}

/** A selectable list with headings between its items. */
export interface HeadedList {
  readonly bindings: readonly Binding[];
  /** The key of the selected row. */
  selected(model: Model): string | undefined;
  view(model: Model, size: Size): Line[];
  onMouse(model: Model, at: MouseInList, size: Size): Step | undefined;
}

export function createHeadedList(options: {
  name: string;
  state: ScreenState<HeadedListState>;
  rows(model: Model): readonly HeadedRow[];
  height(model: Model): number;
}): HeadedList {
  const { name, state, height } = options;

  const list = createSelectableList<HeadedRow>({
    name,
    rows(model) {
      const rows = options.rows(model);
      return { count: rows.length, at: (index) => rows[index], isHeading: (index) => rows[index]?.key === undefined };
    },
    indexOf(model, rows) {
      const { selected } = state.get(model);
      const found = selected === undefined ? -1 : findRow(rows, ({ key }) => key === selected);
      return found >= 0 ? found : findRow(rows, ({ key }) => key !== undefined);
    },
    select: (model, index, rows) => state.set(model, { selected: rows.at(index)?.key }),
    page: (model) => Math.max(1, height(model) >> 1),
    pageName: 'half a page',
  });

  return {
    bindings: list.bindings,
    selected: (model) => list.selected(model)?.key,
    view: (model, size) => list.view(model, size, ({ line }) => line),
    onMouse: (model, at, { rows }) => list.onMouse(model, at, rows),
  };
}

function findRow(rows: Rows<HeadedRow>, matches: (row: HeadedRow) => boolean): number {
  for (let index = 0; index < rows.count; index += 1) {
    const row = rows.at(index);
    if (row && matches(row)) return index;
  }
  return -1;
}
