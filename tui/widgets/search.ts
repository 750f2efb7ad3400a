import { counted } from '../../schemas/text/phrases.ts';
import type { Binding } from '../model/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import { type Model, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { type Line, line, span } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';
import { highlight, matchingLines, searchPattern } from '../text/textSearch.ts';
import { theme } from '../text/theme.ts';

export interface SearchState {
  readonly words: Field;
  readonly typing: boolean;
  /** The line of the current match. */
  readonly row: number | undefined;
}

export const SEARCH_START: SearchState = { words: field(), typing: false, row: undefined };

export interface Search {
  readonly bindings: readonly Binding[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** The line with its matches highlighted. `row` is its number in the text. */
  mark(model: Model, line: Line, row: number): Line;
  /** The search words and the number of matches; undefined without a search. */
  bar(model: Model): Line | undefined;
}

const matchesIn = memoize((lines: readonly Line[], words) => {
  const pattern = searchPattern(words);
  return pattern === undefined ? [] : matchingLines(lines, pattern);
});

export function createSearch(options: {
  name: string;
  state: ScreenState<SearchState>;
  lines(model: Model): readonly Line[];
  /** The first visible line, where a search begins. */
  topOf(model: Model): number;
  /** Scrolls to a line. */
  show(model: Model, row: number): Model;
}): Search {
  const { name, state, lines, topOf, show } = options;
  const rowsOf = (model: Model) => matchesIn(lines(model), state.get(model).words.text);
  const go = (model: Model, row: number | undefined): Model =>
    row === undefined ? model : show(state.set(model, { row }), row);

  function next(model: Model): Model {
    const { row = topOf(model) - 1 } = state.get(model);
    const rows = rowsOf(model);
    return go(model, rows.find((each) => each > row) ?? rows[0]);
  }

  function before(model: Model): Model {
    const { row = topOf(model) } = state.get(model);
    const rows = rowsOf(model);
    return go(model, rows.findLast((each) => each < row) ?? rows.at(-1));
  }

  const whyNot = (model: Model) => {
    if (state.get(model).words.text === '') return 'there is no search; press / to start one';
    return rowsOf(model).length === 0 ? 'nothing matches' : undefined;
  };

  return {
    bindings: [
      {
        id: `${name}.search`,
        keys: ['/'],
        label: 'search',
        footer: true,
        help: 'Search the text; Enter keeps the matches marked, Esc ends the search',
        run: (model) => step(state.set(model, { typing: true, words: field(), row: undefined })),
      },
      {
        id: `${name}.next`,
        keys: ['n'],
        label: 'next match',
        help: 'Go to the next match',
        disabled: whyNot,
        run: (model) => step(next(model)),
      },
      {
        id: `${name}.before`,
        keys: ['N'],
        label: 'previous match',
        help: 'Go to the previous match',
        disabled: whyNot,
        run: (model) => step(before(model)),
      },
    ],
    typing: (model) => state.get(model).typing,
    onKey(model, key) {
      const { typing, words } = state.get(model);
      const cleared = { words: field(), typing: false, row: undefined };
      if (!typing) return key === 'escape' && words.text !== '' ? step(state.set(model, cleared)) : undefined;
      if (key === 'escape') return step(state.set(model, cleared));
      if (key === 'enter') {
        const kept = state.set(model, { typing: false });
        return step(state.get(model).row === undefined ? next(kept) : kept);
      }
      const changed = typed(words, key);
      // Show the first match while one types.
      return changed && step(next(state.set(model, { words: changed, row: undefined })));
    },
    mark(model, each, row) {
      const { words, row: here } = state.get(model);
      const pattern = searchPattern(words.text);
      return pattern === undefined ? each : highlight(each, pattern, row === here);
    },
    bar(model) {
      const { words, typing, row } = state.get(model);
      if (words.text === '' && !typing) return undefined;
      const rows = rowsOf(model);
      const nth = row === undefined ? -1 : rows.indexOf(row);
      const count =
        rows.length === 0 ? 'no match' : nth < 0 ? counted(rows.length, 'line') : `${nth + 1} of ${rows.length}`;
      const tail = words.text === '' ? '' : `  ${count}`;
      return line(span('/', theme.key), words.text, typing && span(' ', theme.marked), span(tail, theme.muted));
    },
  };
}
