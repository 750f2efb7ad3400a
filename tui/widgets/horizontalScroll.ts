import type { Binding } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { step } from '../model/step.ts';
import { type Line, lineWidth, tail } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';

/** How many cells at the left of long lines are not seen. */
export interface HorizontalScrollState {
  readonly left: number;
}

export interface HorizontalScroll {
  readonly bindings: readonly Binding[];
  /** Of the longest line. */
  width(model: Model): number;
  leftOf(model: Model): number;
  shift(model: Model, line: Line): Line;
}

const STEP = 20;

const longest = memoize((lines: readonly Line[]) => lines.reduce((most, each) => Math.max(most, lineWidth(each)), 0));

/** For text whose lines mean something as they are, a terminal's or a patch's: they are cut and not broken. */
export function createHorizontalScroll(options: {
  name: string;
  state: ScreenState<HorizontalScrollState>;
  lines(model: Model): readonly Line[];
  /** Cells there are for each. */
  columns(model: Model): number;
}): HorizontalScroll {
  const { name, state, lines, columns } = options;
  const width = (model: Model) => longest(lines(model));
  const most = (model: Model) => Math.max(0, width(model) - columns(model));
  const leftOf = (model: Model) => Math.min(state.get(model).left, most(model));
  const by = (model: Model, cells: number) =>
    step(state.set(model, { left: Math.max(0, Math.min(most(model), leftOf(model) + cells)) }));
  return {
    width,
    leftOf,
    shift(model, each) {
      const left = leftOf(model);
      return left === 0 ? each : tail(each, left);
    },
    bindings: [
      {
        ...{ id: `${name}.right`, keys: ['>', 'L'], label: 'right', help: 'Show what long lines have further right' },
        disabled: (model) => (leftOf(model) < most(model) ? undefined : 'nothing is further right'),
        run: (model) => by(model, STEP),
      },
      {
        ...{ id: `${name}.left`, keys: ['<', 'H'], label: 'left', help: 'Go back to the left of long lines' },
        disabled: (model) => (leftOf(model) > 0 ? undefined : 'nothing is further left'),
        run: (model) => by(model, -STEP),
      },
    ],
  };
}
