import { describe, expect, it } from 'vitest';
import { RUN } from '../../../../cli/define/run.ts';
import { CATALOGUE } from '../../../../schemas/errors.ts';
import { runStart } from '../../../../schemas/rpc/methods/runStart.ts';
import { inFormWords, START_FIELDS } from '../../../../tui/screens/newRun/startFields.ts';

/** Of the command line alone. */
const WITHOUT_FIELD = ['draft', 'json', 'wait', 'timeout', 'dryRun', 'settings', 'after', 'each', 'again', 'yes'];

describe('the words of the form', () => {
  it('have a field for every option of run start', () => {
    const options = Object.keys(RUN.start.entries).filter((option) => !WITHOUT_FIELD.includes(option));
    expect(
      options.map((option) => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).sort(),
    ).toEqual(Object.keys(START_FIELDS).sort());
  });

  it.each([
    ['Give a branch that exists: --base <branch>.', 'Give a branch that exists: the field Base branch.'],
    ['It does not take --verify (extra.verify): it takes none.', 'It does not take the field Checks: it takes none.'],
    ['Choose it: --backend role=fake.', 'Choose it: the field Roles.'],
    ['Start beside it: --parallel.', 'Start beside it: the field Parallel.'],
    ['See devflow --help.', 'See the help (?).'],
    ['Run git commit --basement.', 'Run git commit --basement.'],
  ])('%s', (sentence, words) => expect(inFormWords(sentence)).toBe(words));

  it('leave no option in the hint of an error of a start', () => {
    const hints = runStart.errors.map((code) => inFormWords(CATALOGUE[code].hint));
    expect(hints.filter((hint) => /(^|\s)--?\w/.test(hint))).toEqual([]);
  });
});
