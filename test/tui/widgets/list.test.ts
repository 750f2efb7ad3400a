import { describe, expect, it } from 'vitest';
import type { Model } from '../../../tui/model/model.ts';
import { screenState } from '../../../tui/model/place.ts';
import { line, textOf } from '../../../tui/text/line.ts';
import { createList, LIST_START, type ListState } from '../../../tui/widgets/list.ts';
import { givenModel } from '../given.ts';

let items: string[] = [];
const list = createList<string>({
  name: 'things',
  keyOf: (item) => item,
  columns: [{ title: 'name', text: (item) => item }],
  items: () => items,
  state: screenState<ListState>('things', LIST_START),
});

function press(model: Model, ...keys: string[]): Model {
  return keys.reduce((present, key) => {
    if (list.typing(present)) return list.onKey(present, key)?.model ?? present;
    const binding = list.bindings.find((each) => each.keys.includes(key));
    return (binding ? binding.run(present) : list.onKey(present, key))?.model ?? present;
  }, model);
}

const shown = (model: Model, rows = 5) =>
  list.view(model, { columns: 10, rows }, (item) => line(item), 'None.').map((each) => textOf(each).trimEnd());

describe('a list', () => {
  it('keeps the selected item when others come and go above it', () => {
    items = ['b', 'c', 'd'];
    const model = press(givenModel(), 'j');
    items = ['a', 'b', 'c', 'd'];
    expect(list.selected(model)).toBe('c');
    items = ['c', 'd'];
    expect(list.selected(model)).toBe('c');
  });

  it('selects a neighbour of an item that is gone', () => {
    items = ['a', 'b', 'c'];
    const model = press(givenModel(), 'j', 'j');
    items = ['a', 'b'];
    expect(list.selected(model)).toBe('b');
    items = [];
    expect(list.selected(model)).toBeUndefined();
    expect(shown(model)).toEqual(['  None.']);
    expect(list.selected(press(model, 'j', 'G', 'g', 'C-d'))).toBeUndefined();
  });

  it('moves by rows and pages, and stops at its ends', () => {
    items = Array.from({ length: 100 }, (_, nth) => `${nth}`);
    const at = (...keys: string[]) => list.selected(press(givenModel(), ...keys));
    expect(at('k')).toBe('0');
    expect(at('j', 'j', 'k')).toBe('1');
    expect(at('G')).toBe('99');
    expect(at('G', 'j')).toBe('99');
    expect(at('C-d')).toBe('19');
    expect(at('C-d', 'pageup')).toBe('0');
    expect(at('G', 'g')).toBe('0');
  });

  it('draws only visible rows, including the selected one', () => {
    items = Array.from({ length: 10_000 }, (_, nth) => `${nth}`);
    let drawn = 0;
    const draw = (item: string) => {
      drawn += 1;
      return line(item);
    };
    const lines = list.view(press(givenModel(), 'G'), { columns: 10, rows: 5 }, draw, '');
    expect(drawn).toBe(5);
    expect(lines.map((each) => textOf(each).trimEnd())).toEqual([' 9995', ' 9996', ' 9997', ' 9998', '▌9999']);
  });

  it('filters by all words while one types, and Escape clears the filter', () => {
    items = ['red apple', 'green apple', 'red pear'];
    const typed = press(givenModel(), '/', 'r', 'e', 'd', ' ', 'p', 'p');
    expect(shown(typed)).toEqual(['/red pp', '▌red apple']);
    expect(list.typing(typed)).toBe(true);
    const taken = press(typed, 'enter');
    expect([list.typing(taken), list.selected(taken)]).toEqual([false, 'red apple']);
    expect(list.rows(press(taken, 'escape'))).toHaveLength(3);
    expect(list.onKey(press(taken, 'escape'), 'escape')).toBeUndefined();
    expect(shown(press(givenModel(), '/', 'x')).join(' ')).toMatch(/Nothing matches/);
  });

  it('follows clicks and the wheel', () => {
    items = ['a', 'b', 'c'];
    const size = { columns: 10, rows: 5 };
    const on = (row: number) => list.onMouse(givenModel(), { action: 'click', row }, size);
    expect(list.selected(on(1)?.model as Model)).toBe('b');
    expect(on(0)).toBeUndefined();
    expect(on(4)).toBeUndefined();
    const wheeled = list.onMouse(givenModel(), { action: 'down', row: 0 }, size);
    expect(list.selected(wheeled?.model as Model)).toBe('b');
  });
});
