import type { Binding } from '../model/binding.ts';
import { field } from '../model/field.ts';
import { type Model, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import type { Sorting } from './columns.ts';

export interface SortState {
  /** Absent: the natural order, most urgent first. */
  readonly sorting?: Sorting | undefined;
}

const NATURAL = '';

/** `S` chooses a column and `I` reverses the order. The choice lasts while the dashboard is open. */
export function sortKeys(name: string, state: ScreenState<SortState>, titles: readonly string[]): readonly Binding[] {
  const now = (model: Model) => state.get(model).sorting;
  const turned = (sorting: Sorting): Sorting => ({ ...sorting, down: !sorting.down });

  function take(model: Model, title: string): Step {
    const sorting = now(model);
    if (title === NATURAL) return step(state.set(model, { sorting: undefined }));
    return step(state.set(model, { sorting: sorting?.by === title ? turned(sorting) : { by: title, down: false } }));
  }

  function choose(model: Model): Step {
    const sorting = now(model);
    const choices = [
      ...titles.map((title) => ({
        value: title,
        label: title,
        description: sorting?.by === title ? `now ${sorting.down ? '↓' : '↑'}; choose again to reverse` : undefined,
      })),
      { value: NATURAL, label: 'no column', description: 'most urgent first' },
    ];
    const selected = Math.max(0, titles.indexOf(sorting?.by ?? ''));
    return step({
      ...model,
      overlay: { kind: 'choose', title: 'Sort by', choices, field: field(), selected, then: take },
    });
  }

  return [
    {
      id: `${name}.sort`,
      keys: ['S'],
      label: 'sort',
      help: 'Sort by a column; the same column again reverses the order',
      run: choose,
    },
    {
      id: `${name}.reverse`,
      keys: ['I'],
      label: 'reverse',
      help: 'Reverse the order',
      disabled: (model) => (now(model) ? undefined : 'no column is chosen; press S'),
      run(model) {
        const sorting = now(model);
        return step(sorting ? state.set(model, { sorting: turned(sorting) }) : model);
      },
    },
  ];
}
