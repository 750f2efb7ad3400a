import { expect, test } from 'vitest';
import { editorArguments } from '../../../cli/input/editor.ts';

test.each([
  ['vi', ['+7', '/w/a.ts']],
  ['/usr/bin/nvim -p', ['+7', '/w/a.ts']],
  ['"/opt/my editors/nano" -w', ['+7', '/w/a.ts']],
  ["'/opt/hx'", ['/w/a.ts:7']],
  ['code --wait', ['--goto', '/w/a.ts:7']],
  ['my-editor', ['/w/a.ts']],
  ['', ['/w/a.ts']],
])('%s opens a file at a line with %j', (command, words) => {
  expect(editorArguments(command, '/w/a.ts', 7)).toEqual(words);
});

test('opens only the file if no line is known', () => {
  expect(editorArguments('vi', '/w/a.ts')).toEqual(['/w/a.ts']);
});
