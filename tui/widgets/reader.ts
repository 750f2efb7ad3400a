import type { Binding } from '../model/binding.ts';
import { type Model, type Size, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import type { Screen } from '../model/screen.ts';
import { EMPTY, fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from './bodySize.ts';
import { createScroll, type ScrollState } from './scroll.ts';
import { createSearch, SEARCH_START, type SearchState } from './search.ts';

export type ReaderState = ScrollState & SearchState;

export const READER_START: ReaderState = { top: 0, follow: false, ...SEARCH_START };

/** A text to scroll and search. */
export interface Reader {
  readonly bindings: readonly Binding[];
  /** The first visible line. */
  topOf(model: Model): number;
  /** Scrolls to that line. */
  to(model: Model, row: number): Model;
  view(model: Model, size: Size): Line[];
  /** The text over another view, below its title. */
  viewOver(model: Model, title: string, size: Size): Line[];
  /** For another text: scrolls to the top and ends the search. */
  reset(model: Model): Model;
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** Of a text over another view. `closed` is the model without it. */
  onKeyOver(model: Model, key: string, closed: Model): Step | undefined;
  onMouse(model: Model, at: { readonly action: 'click' | 'up' | 'down' }): Step | undefined;
  /** For a screen that is this text alone. */
  readonly screen: Pick<Screen, 'view' | 'typing' | 'onKey' | 'onMouse'>;
}

export function createReader<S extends ReaderState>(options: {
  name: string;
  state: ScreenState<S>;
  lines(model: Model): readonly Line[];
  /** The rows that it may use. Absent: the whole body. */
  rows?(model: Model): number;
  /** The appearance of a line. `row` is its number in the text. */
  shown?(model: Model, line: Line, row: number): Line;
}): Reader {
  const {
    name,
    lines,
    shown: draw = (_: Model, each: Line) => each,
    rows = (model: Model) => bodySize(model).rows,
  } = options;
  const state = options.state as ScreenState<ReaderState>;
  const count = (model: Model) => lines(model).length;
  const rowsOf = (model: Model) => Math.max(1, rows(model) - (search.bar(model) ? 1 : 0));
  const scroll = createScroll({ name, state, count, rows: rowsOf });
  const topOf = (model: Model) => scroll.topOf(model, rowsOf(model), count(model));
  const search = createSearch({
    name,
    state,
    lines,
    topOf,
    show: (model, row) => scroll.to(model, row - (rowsOf(model) >> 1)),
  });

  function view(model: Model, size: Size): Line[] {
    const text = lines(model);
    const bar = search.bar(model);
    const height = Math.max(1, size.rows - (bar ? 1 : 0));
    const top = scroll.topOf(model, height, text.length);
    const shown = text
      .slice(top, top + height)
      .map((each, nth) => fitWidth(draw(model, search.mark(model, each, top + nth), top + nth), size.columns));
    if (!bar) return shown;
    return [...Array.from({ length: height }, (_, row) => shown[row] ?? EMPTY), fitWidth(bar, size.columns)];
  }

  const onMouse: Reader['onMouse'] = (model, { action }) =>
    action === 'click' ? undefined : scroll.onMouse(model, action, 0);

  return {
    bindings: [...search.bindings, ...scroll.bindings],
    topOf,
    to: (model, row) => scroll.to(model, row),
    view,
    viewOver(model, title, { columns, rows }) {
      const head = line(span(` ${title}`, theme.title), span('   Esc closes', theme.muted));
      const text = view(model, { columns: columns - 2, rows: rows - 1 });
      return [fitWidth(head, columns), ...text.map((each) => line(' ', ...each))];
    },
    reset: (model) => state.set(model, READER_START),
    typing: search.typing,
    onKey: search.onKey,
    onKeyOver(model, key, closed) {
      const looked = search.onKey(model, key);
      if (looked || search.typing(model)) return looked;
      return ['escape', 'h', 'left', 'backspace'].includes(key) ? step(closed) : undefined;
    },
    onMouse,
    screen: { view, typing: search.typing, onKey: search.onKey, onMouse },
  };
}
