import { CONSENT_PARTS } from '../../schemas/names.ts';
import { type Actions, command } from './command.ts';
import { directory, negated, oneOf, own, text, YES } from './entry.ts';

const HELP = `
A repository says in devflow.yaml how its runs begin, and you in
repositories/<name>.yaml of devflow's configuration; yours wins. What is in
neither, devflow guesses. See docs/repository.md.`;

const CHECK_HELP = `
Exit code 0: all files are valid, 1: one is not. It needs no daemon, so it can
be a step of CI.`;

const INIT_HELP = `
It never overwrites a file, and changes nothing else. The try is a worktree of
devflow's own, which it removes: it shows how long the set-up takes, and whether
the checks pass.`;

const where = {
  repo: directory('directory in a git repository with a checkout (default: the current one)'),
  base: text(
    '<ref>',
    'branch or commit id whose settings count (default: as the settings say, else the one checked out)',
  ),
  host: text('<host>', 'the host of the directory (default: this one)'),
};

const part = oneOf(
  text('<part>', 'only this: worktree (the set-up), verify (the checks), agents, sandbox, wrap, template', {
    long: 'only',
  }),
  CONSENT_PARTS,
);

export const REPOSITORY = {
  show: command('repository.show', 'show what holds for runs of a repository, and from which file', where, {
    help: HELP,
  }),
  init: command(
    'repository.init',
    'write a commented devflow.yaml with what devflow guesses, and try it',
    {
      ...where,
      trial: own({ ...negated('only write the file'), long: 'try' }),
      yes: { ...YES, about: 'try it without a question' },
    },
    { help: INIT_HELP },
  ),
  check: command('repository.check', 'check the settings files of a repository; exit code 1: faults', where, {
    help: CHECK_HELP,
  }),
  allow: command('repository.allow', 'allow what the settings of a repository run, exactly as it is now', {
    ...where,
    part,
    yes: { ...YES, about: 'allow without a question' },
  }),
  forbid: command('repository.forbid', 'never run it; devflow does not ask again', { ...where, part }),
};
export type Repository = Actions<typeof REPOSITORY>;
