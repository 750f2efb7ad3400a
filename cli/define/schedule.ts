import { SANDBOX_WORDS } from '../../schemas/names.ts';
import { CLIENT_TOKEN } from './clientToken.ts';
import { type Actions, command } from './command.ts';
import { argument, directory, flag, negated, oneOf, own, parsed, repeated, text } from './entry.ts';
import { ROLES } from './run.ts';

const scheduleId = argument('<schedule>');

const add = command(
  'schedule.add',
  'start a run again and again: devflow schedule add "0 6 * * 1-5" -m "..."',
  {
    expression: argument('<expression>', 'minute, hour, day of the month, month, day of the week; or a name'),
    zone: {
      ...text('<zone>', 'the time zone, such as Europe/Berlin (default: yours)'),
      read: (given: string | undefined) => given ?? new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
    },
    message: own(repeated('<text>', 'the requirements; repeatable, one paragraph each', { short: 'm' })),
    requirements: own(text('<file>', 'text file with the requirements; - for standard input')),
    template: text('<template>', 'a workflow: name, or name@version (default: one agent, which you lead)'),
    repo: directory('directory in a git repository with a checkout (default: the current one)'),
    title: text('<text>', 'what lists call the schedule and its runs'),
    base: text('<branch>', 'branch to start from (default: as the settings say, else the one checked out)'),
    bind: ROLES.bind,
    backend: own(repeated('<backend>', 'its program, or with --template <role=backend>; repeatable')),
    settings: parsed(
      negated('without the settings of the repository, and without guesses'),
      (_, is) => is && undefined,
    ),
    sandbox: oneOf(
      text('<level>', 'agents, or all for commands, too, run in a sandbox (default: as the settings say)'),
      SANDBOX_WORDS,
    ),
    parallel: flag('start even if a run of this repository and base branch is open'),
    skipMissed: own(flag('make up for no time at which devflow did not run (default: for the newest)')),
    dryRun: flag('show the next times and what would start, and add nothing'),
    clientToken: CLIENT_TOKEN,
  },
  {
    help: `
Names: @hourly, @daily, @weekly, @monthly, @yearly. Fields take numbers, *, lists (1,15),
ranges (1-5), steps (*/10), and names of days and months (mon, jan).`,
  },
);

export const SCHEDULE = {
  add,
  list: command('schedule.list', 'list the schedules, the oldest first'),
  run: command('schedule.runNow', 'start a run of a schedule now, beside its times', {
    scheduleId,
    clientToken: CLIENT_TOKEN,
  }),
  pause: command('schedule.pause', 'start nothing until it is resumed', { scheduleId }),
  resume: command('schedule.pause', 'go on with a paused schedule, from its next time on', { scheduleId }),
  remove: command('schedule.remove', 'remove a schedule; its runs stay', { scheduleId }),
};
export type Schedule = Actions<typeof SCHEDULE>;
