import { expect, test } from 'vitest';
import { popupTitle } from '../../../cli/attach/runAttach.ts';

test('the frame of a popup says only what stays true when J shows another agent in it', () => {
  expect(popupTitle({ host: null }, false)).toBe(' devflow agents ');
  expect(popupTitle({ host: 'b' }, true)).toBe(' devflow agents on b, read-only ');
});
