import type { Binding } from '../model/binding.ts';
import { type Field, field, typed } from '../model/field.ts';
import { type Model, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { type Span, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

export interface FilterState {
  readonly filter: Field;
  /** True while keys are typed into the filter. */
  readonly filtering: boolean;
}

export const FILTER_START: FilterState = { filter: field(), filtering: false };

export const NOTHING_MATCHES = 'Nothing matches. Esc shows everything.';

/** The words typed after `/`: a list shows only the rows that contain all of them. */
export interface Filter {
  readonly binding: Binding;
  isTyping(model: Model): boolean;
  /** True while it hides rows, or while one types. */
  isActive(model: Model): boolean;
  /** The words with their cursor; empty while it is not active. */
  words(model: Model): readonly Span[];
  onKey(model: Model, key: string): Step | undefined;
}

export function createFilter(options: {
  name: string;
  state: ScreenState<FilterState>;
  footer?: boolean;
  help: string;
  /** Moves the selection while one types. */
  move(model: Model, by: number): Model;
  /** After each letter. */
  changed(model: Model): Model;
  /** After Esc. */
  cleared?(model: Model): Model;
}): Filter {
  const { name, state, footer, help, move, changed, cleared = (model: Model) => model } = options;

  function clear(model: Model): Step {
    return step(cleared(state.set(model, FILTER_START)));
  }

  return {
    binding: {
      id: `${name}.filter`,
      keys: ['/'],
      label: 'filter',
      help,
      footer,
      run: (model) => step(state.set(model, { filtering: true })),
    },
    isTyping: (model) => state.get(model).filtering,
    isActive: (model) => state.get(model).filtering || state.get(model).filter.text !== '',
    words(model) {
      const { filter, filtering } = state.get(model);
      if (!filtering && filter.text === '') return [];
      return [span('/', theme.key), span(filter.text), ...(filtering ? [span(' ', theme.marked)] : []), span('  ')];
    },
    onKey(model, key) {
      const { filter, filtering } = state.get(model);
      if (!filtering) return key === 'escape' && filter.text !== '' ? clear(model) : undefined;
      if (key === 'escape') return clear(model);
      if (key === 'enter') return step(state.set(model, { filtering: false }));
      if (key === 'down' || key === 'up') return step(move(model, key === 'down' ? 1 : -1));
      const next = typed(filter, key);
      return next && step(changed(state.set(model, { filter: next })));
    },
  };
}
