import { expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { fakeIo } from './fakeIo.ts';

test('a word that is no command gets the help of the whole program', () => {
  const whole = createProgram({ io: fakeIo(), exit: () => {} });
  const asked = createProgram({ io: fakeIo(), exit: () => {}, only: 'bogus' });
  expect(asked.helpInformation()).toBe(whole.helpInformation());
  expect(whole.helpInformation()).toMatch(/^ {2}attach \[options\]/m);
});
