import type { Binding } from '../model/binding.ts';
import { type Model, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { type Line, lineWidth, tail } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';

/** The cells of each line that are scrolled off at the left. */
export interface HorizontalScrollState {
  readonly left: number;
}

export interface HorizontalScroll {
  readonly bindings: readonly Binding[];
  /** The width of the longest line. */
  width(model: Model): number;
  leftOf(model: Model): number;
  shift(model: Model, line: Line): Line;
}

const STEP = 20;

const longest = memoize((lines: readonly Line[]) => lines.reduce((most, each) => Math.max(most, lineWidth(each)), 0));

/** Scrolls lines that must not be wrapped, such as a terminal's or a patch's. */
export function createHorizontalScroll(options: {
  name: string;
  state: ScreenState<HorizontalScrollState>;
  lines(model: Model): readonly Line[];
  /** The visible cells of each line. */
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
        id: `${name}.right`,
        keys: ['>', 'L'],
        label: 'right',
        help: 'Scroll long lines to the right',
        disabled: (model) => (leftOf(model) < most(model) ? undefined : 'no line goes further right'),
        run: (model) => by(model, STEP),
      },
      {
        id: `${name}.left`,
        keys: ['<', 'H'],
        label: 'left',
        help: 'Scroll back to the left',
        disabled: (model) => (leftOf(model) > 0 ? undefined : 'the lines are at their left end'),
        run: (model) => by(model, -STEP),
      },
    ],
  };
}
