import { type Binding, movementBindings } from '../model/binding.ts';
import { type Model, type Size, type Step, step } from '../model/model.ts';
import { fitWidth, type Line, span, withStyle } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** The rows of a list by number. They are read one by one, so the rows of a long log that are not seen cost nothing. */
export interface Rows<T> {
  readonly count: number;
  at(index: number): T | undefined;
  /** A heading is shown but never selected. Absent: there are no headings. */
  isHeading?(index: number): boolean;
}

export function rowsOf<T>(items: readonly T[]): Rows<T> {
  return { count: items.length, at: (index) => items[index] };
}

export interface MouseInList {
  readonly action: 'click' | 'up' | 'down';
  /** Counted from the first visible row. */
  readonly row: number;
}

export interface SelectableListOptions<T> {
  /** Begins the ids of the bindings. */
  readonly name: string;
  rows(model: Model): Rows<T>;
  /** Where the screen keeps its selection: the selected row, or -1 where there is none. */
  indexOf(model: Model, rows: Rows<T>): number;
  select(model: Model, index: number, rows: Rows<T>): Model;
  /** Rows that a page key moves by. */
  page(model: Model): number;
  readonly pageName: 'a page' | 'half a page';
  /** Rows that one turn of the wheel moves by. Absent: one. */
  readonly wheel?: number;
  readonly helpOfLast?: string;
}

/** The one selectable list of the dashboard: cursor, movement keys, mouse and scroll window. */
export interface SelectableList<T> {
  readonly bindings: readonly Binding[];
  selected(model: Model): T | undefined;
  select(model: Model, index: number): Model;
  /** Moves the selection by so many rows; it stops at the ends. */
  move(model: Model, by: number): Model;
  view(model: Model, size: Size, draw: (item: T, columns: number) => Line): Line[];
  /** A click on the selected row is undefined, so that the screen can open it. */
  onMouse(model: Model, at: MouseInList, height: number): Step | undefined;
}

export function createSelectableList<T>(options: SelectableListOptions<T>): SelectableList<T> {
  const { name, rows: rowsIn, indexOf, page, pageName, wheel = 1, helpOfLast = 'Select the last' } = options;

  function select(model: Model, index: number): Model {
    const rows = rowsIn(model);
    return options.select(model, Math.max(0, Math.min(index, rows.count - 1)), rows);
  }

  function move(model: Model, by: number): Model {
    const rows = rowsIn(model);
    const index = indexOf(model, rows);
    if (!rows.isHeading) return select(model, index + by);
    const items = Array.from({ length: rows.count }, (_, at) => at).filter((at) => !rows.isHeading?.(at));
    const to = items[Math.max(0, Math.min(items.indexOf(index) + by, items.length - 1))];
    return to === undefined ? model : select(model, to);
  }

  const by = (model: Model, count: number) => step(move(model, count));
  const binding = movementBindings(name);

  return {
    select,
    move,
    bindings: [
      binding('down', ['j', 'down'], 'Select the next one', (model) => by(model, 1)),
      binding('up', ['k', 'up'], 'Select the previous one', (model) => by(model, -1)),
      binding('page down', ['C-d', 'pagedown'], `Go down ${pageName}`, (model) => by(model, page(model))),
      binding('page up', ['C-u', 'pageup'], `Go up ${pageName}`, (model) => by(model, -page(model))),
      binding('first', ['g', 'home'], 'Select the first', (model) => by(model, -rowsIn(model).count)),
      binding('last', ['G', 'end'], helpOfLast, (model) => by(model, rowsIn(model).count)),
    ],
    selected(model) {
      const rows = rowsIn(model);
      return rows.at(indexOf(model, rows));
    },
    view(model, size, draw) {
      const rows = rowsIn(model);
      return visibleRows(rows, indexOf(model, rows), size, draw);
    },
    onMouse(model, { action, row }, height) {
      if (action !== 'click') return by(model, action === 'down' ? wheel : -wheel);
      const rows = rowsIn(model);
      const selected = indexOf(model, rows);
      const index = firstVisible(rows, selected, height) + row;
      if (row < 0 || index >= rows.count || index === selected || rows.isHeading?.(index)) return undefined;
      return step(select(model, index));
    },
  };
}

/** The rows that fit, with the selected one marked. */
export function visibleRows<T>(
  rows: Rows<T>,
  selected: number,
  { columns, rows: height }: Size,
  draw: (item: T, columns: number) => Line,
): Line[] {
  const first = firstVisible(rows, selected, height);
  return Array.from({ length: Math.max(0, Math.min(height, rows.count - first)) }, (_, nth) => {
    const item = rows.at(first + nth);
    const text = item === undefined ? [] : draw(item, columns - 1);
    return selectableRow(text, first + nth === selected, columns);
  });
}

/** Keeps the selected row in the middle. The first one shows the headings above it too. */
function firstVisible(rows: Rows<unknown>, selected: number, height: number): number {
  let first = 0;
  while (first < rows.count && rows.isHeading?.(first)) first += 1;
  return selected === first ? 0 : Math.max(0, Math.min(selected - (height >> 1), rows.count - height));
}

/** The text of a row has one cell less than the row, for the mark of the selected one. */
export function selectableRow(text: Line, isSelected: boolean, columns: number): Line {
  const drawn = fitWidth([span(isSelected ? '▌' : ' ', theme.accent), ...text], columns);
  return isSelected ? withStyle(drawn, theme.selected) : drawn;
}
