import { expect, test } from 'vitest';
import { pathOfVerb, VERBS } from '../../cli/define/verbs.ts';
import { createProgram } from '../../cli/program.ts';
import { fakeIo } from './fakeIo.ts';

test('a word that is no command gets the help of the whole program', () => {
  const whole = createProgram({ io: fakeIo(), exit: () => {} });
  const asked = createProgram({ io: fakeIo(), exit: () => {}, only: 'bogus' });
  expect(asked.helpInformation()).toBe(whole.helpInformation());
  expect(whole.helpInformation()).toMatch(/^ {2}attach \[options\]/m);
});

test.each(Object.entries(VERBS))(
  'devflow %s has the arguments and options of its command, and names it',
  (verb, path) => {
    const [group, name] = path;
    const child = (words: readonly string[], only?: string) =>
      words.reduce(
        (command, word) => command.commands.find((each) => each.name() === word) ?? command,
        createProgram({ io: fakeIo(), exit: () => {}, ...(only === undefined ? {} : { only }) }),
      );
    const short = child([verb], verb);
    const whole = child([group, name], group);
    expect(short.options.map(({ flags }) => flags)).toEqual(whole.options.map(({ flags }) => flags));
    expect(short.registeredArguments.map((each) => each.name())).toEqual(
      whole.registeredArguments.map((each) => each.name()),
    );
    expect(short.description()).toBe(`${whole.description()}: devflow ${group} ${name}`);
    expect(pathOfVerb(`/${verb}`)).toBe(`/${group}/${name}`);
  },
);
