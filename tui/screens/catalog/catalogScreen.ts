import { type Binding, bindingsWhile } from '../../model/binding.ts';
import { type Model, type ScreenId, type Size, type Step, step } from '../../model/model.ts';
import { type ScreenState, screenState } from '../../model/place.ts';
import type { Query } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { EMPTY, fitWidth, type Line, line, lineWidth, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import type { Column } from '../../widgets/columns.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { createScroll, type ScrollState } from '../../widgets/scroll.ts';
import { type Copyable, NO_TARGETS, targetBindings } from '../targets/targets.ts';

/** From this width on, the text is beside the list, otherwise below it. */
const WIDE = 100;
const LIST_COLUMNS = 42;

interface CatalogScreenState extends ScrollState {
  /** Key of the item whose text is scrolled. Another item starts at its top. */
  readonly of?: string;
  /** The text fills the whole screen. */
  readonly isWhole: boolean;
}

export interface CatalogScreenOptions<T> {
  readonly id: ScreenId;
  readonly title: string;
  readonly key: NonNullable<Screen['key']>;
  queries(model: Model, selected: T | undefined): readonly Query[];
  items(model: Model): readonly T[] | undefined;
  keyOf(item: T): string;
  /** The columns of `row`. */
  readonly columns: readonly Column<T>[];
  /** More text that `/` searches. */
  also(item: T): string;
  row(item: T): Line;
  /** The texts that `y` copies. */
  copies(item: T): readonly Copyable[];
  /** The whole item, wrapped. */
  text(model: Model, item: T, columns: number): readonly Line[];
  /** Lines above the list. */
  notice?(model: Model, columns: number): readonly Line[];
  readonly empty: string;
}

/** A screen with a list and the text of the selected item. */
export function createCatalogScreen<T>(options: CatalogScreenOptions<T>): Screen {
  const { id, title, key, queries, items, keyOf, columns: shown, also, row, copies, text, notice, empty } = options;
  const state = screenState<CatalogScreenState>(`${id} text`, { top: 0, follow: false, isWhole: false });
  const list = createList<T>({
    name: id,
    keyOf,
    columns: shown,
    also,
    headless: true as const,
    items: (model: Model) => items(model) ?? [],
    state: screenState<ListState>(id, LIST_START),
  });
  const isWhole = (model: Model) => state.get(model).isWhole && list.selected(model) !== undefined;
  const selectedKey = (model: Model) => {
    const item = list.selected(model);
    return item && keyOf(item);
  };
  const ofSelected: ScreenState<ScrollState> = {
    get: (model) => {
      const { of, top } = state.get(model);
      return { top: of === selectedKey(model) ? top : 0, follow: false };
    },
    set: (model, { top }) => state.set(model, { top, of: selectedKey(model) }),
  };

  function areas(model: Model, { columns, rows }: Size) {
    const above = isWhole(model) ? [] : (notice?.(model, columns) ?? []).slice(0, Math.max(2, Math.floor(rows / 3)));
    const left = rows - above.length;
    if (isWhole(model)) return { above, list: undefined, text: { row: 1, column: 0, columns, rows: rows - 1 } };
    if (columns >= WIDE) {
      const column = LIST_COLUMNS + 2;
      const beside = { row: above.length, column, columns: columns - column, rows: left };
      return { above, list: { columns: LIST_COLUMNS, rows: left }, text: beside };
    }
    const some = Math.max(3, Math.min(list.rows(model).length + 1, Math.floor(left * 0.4)));
    const below = { row: above.length + some + 1, column: 0, columns, rows: left - some - 1 };
    return { above, list: { columns, rows: some }, text: below };
  }

  function textLines(model: Model, columns: number): readonly Line[] {
    const item = list.selected(model);
    return item === undefined ? [] : text(model, item, columns - 1).map((each) => line(' ', ...each));
  }

  const room = (model: Model) => areas(model, bodySize(model)).text;
  const scroll = createScroll({
    name: `${id}.text`,
    state: ofSelected,
    count: (model) => textLines(model, room(model).columns).length,
    rows: (model) => room(model).rows,
  });
  const by = (lines: number) => (model: Model) =>
    step(scroll.to(model, scroll.topOf(model, room(model).rows, textLines(model, room(model).columns).length) + lines));
  const whole: Binding = {
    id: `${id}.open`,
    keys: OPEN_KEYS,
    label: 'read',
    help: 'Show the text on the whole screen',
    footer: true,
    when: (model) => !isWhole(model),
    disabled: (model) => (list.selected(model) ? undefined : 'the list is empty'),
    run: (model) => step(state.set(model, { isWhole: true })),
  };
  const shut: Binding = {
    id: `${id}.close`,
    keys: ['escape', 'h', 'left', 'enter'],
    label: 'list',
    help: 'Show the list again',
    footer: true,
    when: isWhole,
    run: (model) => step(state.set(model, { isWhole: false })),
  };
  const help = 'Scroll the text beside or below the list';

  return {
    id,
    tab: id,
    key,
    title: () => title,
    queries: (model) => queries(model, list.selected(model)),
    bindings: [
      whole,
      shut,
      { id: `${id}.text.on`, keys: ['J', 'S-down'], label: 'text down', help, movement: true, run: by(3) },
      { id: `${id}.text.back`, keys: ['K', 'S-up'], label: 'text up', help, movement: true, run: by(-3) },
      ...targetBindings(id, (model) => {
        const item = list.selected(model);
        return item === undefined ? NO_TARGETS : { copy: copies(item), open: [] };
      }).filter(({ keys }) => keys.includes('y')),
      ...bindingsWhile((model) => !isWhole(model), list.bindings),
      ...bindingsWhile(isWhole, scroll.bindings),
    ],
    view(model, size) {
      const place = areas(model, size);
      const lines = textLines(model, place.text.columns);
      const seen = scroll.view(model, place.text, lines);
      const more = lines.length > place.text.rows ? ` ${seen.length} of ${lines.length} lines ` : '';
      if (!place.list) return [rule(selectedKey(model) ?? '', more, size.columns), ...seen];
      const why = items(model) === undefined ? 'Loading…' : empty;
      const rows = list.view(model, place.list, row, why);
      if (size.columns < WIDE) {
        const filled = Array.from({ length: place.list.rows }, (_, nth) => rows[nth] ?? EMPTY);
        return [...place.above, ...filled, rule(selectedKey(model) ?? '', more, size.columns), ...seen];
      }
      const beside = Array.from({ length: place.list.rows }, (_, nth) =>
        line(...fitWidth(rows[nth] ?? EMPTY, LIST_COLUMNS), span(' │', theme.muted), ...(seen[nth] ?? EMPTY)),
      );
      return [...place.above, ...beside];
    },
    typing: (model) => !isWhole(model) && list.typing(model),
    onKey: (model, key) => (isWhole(model) ? undefined : list.onKey(model, key)),
    onMouse(model, at, size): Step | undefined {
      const place = areas(model, size);
      const isText = at.row >= place.text.row && at.column >= place.text.column;
      if (isText) return at.action === 'click' ? undefined : scroll.onMouse(model, at.action, 0);
      const into = { action: at.action, row: at.row - place.above.length };
      if (!place.list || into.row < 0 || into.row >= place.list.rows) return undefined;
      return list.onMouse(model, into, place.list) ?? (at.action === 'click' ? whole.run(model) : undefined);
    },
  };
}

function rule(name: string, more: string, columns: number): Line {
  const title = line(span(name === '' ? '' : `── ${name} ──${more}`, theme.muted));
  return fitWidth(line(...title, span('─'.repeat(Math.max(0, columns - lineWidth(title))), theme.muted)), columns);
}
