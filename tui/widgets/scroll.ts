import { type Binding, movementBindings } from '../model/binding.ts';
import { type Model, type Size, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { fitWidth, type Line } from '../text/line.ts';
import { bodySize } from './bodySize.ts';

export interface ScrollState {
  readonly top: number;
  /** True while the end of the text is shown and stays shown as more text comes. */
  readonly follow: boolean;
}

export interface Scroll {
  readonly bindings: readonly Binding[];
  view(model: Model, size: Size, lines: readonly Line[]): Line[];
  /** The first visible line. */
  topOf(model: Model, rows: number, count: number): number;
  to(model: Model, top: number): Model;
  onMouse(model: Model, action: 'up' | 'down', count: number): Step;
}

const WHEEL = 3;

/** Scrolls a text of `count` lines, of which `rows` are visible. */
export function createScroll(options: {
  name: string;
  state: ScreenState<ScrollState>;
  count(model: Model): number;
  rows?(model: Model): number;
}): Scroll {
  const { name, state, count } = options;
  const rowsOf = options.rows ?? ((model: Model) => bodySize(model).rows);

  function topOf(model: Model, rows: number, lines: number): number {
    const last = Math.max(0, lines - rows);
    const { top, follow } = state.get(model);
    return follow ? last : Math.max(0, Math.min(top, last));
  }

  function to(model: Model, top: number, lines = count(model)): Model {
    const last = Math.max(0, lines - rowsOf(model));
    return state.set(model, { top: Math.max(0, Math.min(top, last)), follow: top >= last && lines > rowsOf(model) });
  }

  const by = (model: Model, lines: number) => step(to(model, topOf(model, rowsOf(model), count(model)) + lines));
  const move = movementBindings(name);

  return {
    topOf,
    to,
    bindings: [
      move('down', ['j', 'down'], 'Scroll down a line', (model) => by(model, 1)),
      move('up', ['k', 'up'], 'Scroll up a line', (model) => by(model, -1)),
      move('page down', ['C-d', 'pagedown', ' '], 'Scroll down half a page', (model) => by(model, rowsOf(model) >> 1)),
      move('page up', ['C-u', 'pageup'], 'Scroll up half a page', (model) => by(model, -(rowsOf(model) >> 1))),
      move('top', ['g', 'home'], 'Go to the top', (model) => step(to(model, 0))),
      move('bottom', ['G', 'end'], 'Go to the end, and follow new lines', (model) => step(to(model, count(model)))),
    ],
    view(model, size, lines) {
      const top = topOf(model, size.rows, lines.length);
      return lines.slice(top, top + size.rows).map((each) => fitWidth(each, size.columns));
    },
    onMouse: (model, action) => by(model, action === 'down' ? WHEEL : -WHEEL),
  };
}
