import { expect, it } from 'vitest';
import { plainScreen } from '../../tui/plainScreen.ts';

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
