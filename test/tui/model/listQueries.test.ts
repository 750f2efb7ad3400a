import { expect, it } from 'vitest';
import { FIRST_QUERIES, plainScreen } from '../../../tui/model/listQueries.ts';
import { initialModel, type ScreenId } from '../../../tui/model/model.ts';
import { STATUS } from '../../../tui/model/query.ts';
import { screenOf } from '../../../tui/screens/index.ts';

it('names what each of these screens reads when it opens', () => {
  for (const screen of Object.keys(FIRST_QUERIES) as ScreenId[]) {
    const size = { columns: 120, rows: 36 };
    const model = initialModel({ size, now: 0, version: '1', cwd: '/', place: { screen } });
    const keys = [STATUS, ...screenOf(model).queries(model)].map(({ key }) => key);
    expect(FIRST_QUERIES[screen]?.map(({ key }) => key).sort()).toEqual(keys.sort());
  }
});

it('knows the words that a key of tmux gives, and leaves all others to the commands', () => {
  expect(plainScreen([])).toBe('runs');
  expect(plainScreen(['--screen', 'sessions'])).toBe('sessions');
  for (const words of [
    ['--help'],
    ['--screen'],
    ['--screen', 'none'],
    ['--screen=runs'],
    ['--about', 'x'],
    ['x', 'runs'],
  ])
    expect(plainScreen(words)).toBeUndefined();
  expect(plainScreen(['--screen', 'run', '--about', '1'])).toBeUndefined();
});
