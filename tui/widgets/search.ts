import { counted } from '../../schemas/counted.ts';
import type { Binding } from '../model/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { type Step, step } from '../model/step.ts';
import { type Line, line, span } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';
import { highlight, matchingLines, searchPattern } from '../text/textSearch.ts';
import { theme } from '../text/theme.ts';

/** What is looked for in a text, and the line of it where one is. */
export interface SearchState {
  readonly words: Field;
  readonly typing: boolean;
  readonly row: number | undefined;
}

export const SEARCH_START: SearchState = { words: field(), typing: false, row: undefined };

export interface Search {
  /** `/`, and from one place to the next. */
  readonly bindings: readonly Binding[];
  typing(model: Model): boolean;
  onKey(model: Model, key: string): Step | undefined;
  /** A line as it is shown, `row` being its number in the whole text. */
  mark(model: Model, line: Line, row: number): Line;
  /** What is looked for and how often it is there; undefined when nothing is looked for. */
  bar(model: Model): Line | undefined;
}

const found = memoize((lines: readonly Line[], words) => {
  const pattern = searchPattern(words);
  return pattern === undefined ? [] : matchingLines(lines, pattern);
});

export function createSearch(options: {
  name: string;
  state: ScreenState<SearchState>;
  lines(model: Model): readonly Line[];
  /** First line that is seen: the search begins there. */
  topOf(model: Model): number;
  /** Brings a line into view. */
  show(model: Model, row: number): Model;
}): Search {
  const { name, state, lines, topOf, show } = options;
  const rowsOf = (model: Model) => found(lines(model), state.get(model).words.text);
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

  const nothing = (model: Model) => {
    if (state.get(model).words.text === '') return 'nothing is looked for; press /';
    return rowsOf(model).length === 0 ? 'it is nowhere' : undefined;
  };

  return {
    bindings: [
      {
        ...{ id: `${name}.search`, keys: ['/'], label: 'search', footer: true },
        help: 'Look for words in the text; Enter keeps them marked, Esc forgets them',
        run: (model) => step(state.set(model, { typing: true, words: field(), row: undefined })),
      },
      {
        ...{ id: `${name}.next`, keys: ['n'], label: 'next match', help: 'Go to the next line that has the words' },
        disabled: nothing,
        run: (model) => step(next(model)),
      },
      {
        ...{ id: `${name}.before`, keys: ['N'], label: 'previous match', help: 'Go to the line before that has them' },
        disabled: nothing,
        run: (model) => step(before(model)),
      },
    ],
    typing: (model) => state.get(model).typing,
    onKey(model, key) {
      const { typing, words } = state.get(model);
      const forgotten = { words: field(), typing: false, row: undefined };
      if (!typing) return key === 'escape' && words.text !== '' ? step(state.set(model, forgotten)) : undefined;
      if (key === 'escape') return step(state.set(model, forgotten));
      if (key === 'enter') {
        const kept = state.set(model, { typing: false });
        return step(state.get(model).row === undefined ? next(kept) : kept);
      }
      const changed = typed(words, key);
      // What is found first is shown while one types.
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
        rows.length === 0 ? 'nowhere' : nth < 0 ? counted(rows.length, 'line') : `${nth + 1} of ${rows.length}`;
      const tail = words.text === '' ? '' : `  ${count}`;
      return line(span('/', theme.key), words.text, typing && span(' ', theme.marked), span(tail, theme.muted));
    },
  };
}
