import { describe, expect, it } from 'vitest';
import type { Model } from '../../../tui/model/model.ts';
import { screenState } from '../../../tui/model/place.ts';
import { line, textOf } from '../../../tui/text/line.ts';
import { createScroll, type ScrollState } from '../../../tui/widgets/scroll.ts';
import { givenModel } from '../given.ts';

let count = 0;
const state = screenState<ScrollState>('text', { top: 0, follow: true });
const scroll = createScroll({ name: 'text', state, count: () => count, rows: () => 10 });
const press = (model: Model, ...keys: string[]) =>
  keys.reduce((now, key) => scroll.bindings.find((each) => each.keys.includes(key))?.run(now).model ?? now, model);
const top = (model: Model) => scroll.topOf(model, 10, count);

describe('a scrolled text', () => {
  it('follows its end until one scrolls up, and again at the end', () => {
    count = 100;
    const model = givenModel();
    expect(top(model)).toBe(90);
    const up = press(model, 'k');
    expect(top(up)).toBe(89);
    count = 200;
    expect(top(up)).toBe(89);
    expect(top(model)).toBe(190);
    const down = press(up, 'G');
    count = 300;
    expect(top(down)).toBe(290);
  });

  it('never scrolls past its text', () => {
    count = 100;
    const model = press(givenModel(), 'g');
    expect(top(press(model, 'k', 'pageup'))).toBe(0);
    expect(top(press(model, 'C-d', ' ', 'j'))).toBe(11);
    count = 5;
    expect(top(press(model, 'C-d', 'j'))).toBe(0);
    expect(scroll.view(press(model, 'j'), { columns: 3, rows: 10 }, [line('long'), line('b')]).map(textOf)).toEqual([
      'lo…',
      'b  ',
    ]);
  });
});
