import { type Action, type Actions, command, plainCommand } from './command.ts';
import { argument, flag, JSON_FLAG, negated, oneOf, own, text, YES } from './entry.ts';

const AGENTS_HELP = `
--agents starts each installed and enabled agent on a separate tmux server, in a
scratch repository (<state>/doctor/scratch). It sends no prompt. It reports by
which sign devflow saw that the agent is ready, or what prevented that. Then it
ends the agent. Agents use your own configuration and login, as in a run, and
devflow changes neither. They may write what they write at every start, such as
a log or a list of folders.`;

const TAKE_HELP = `
--take-host is for a machine that shares its database and has lost its state
directory: devflow then takes it for another one (host_taken). The runs of the
host go on under it. A host that is up is never taken over. Later starts need no
option.`;

export const UP = plainCommand(
  'start the daemon and its database, and wait until they are ready',
  {
    json: JSON_FLAG,
    db: oneOf(text('<mode>', 'which database to use'), ['embedded', 'compose', 'external']),
    foreground: flag('stay attached and show the log'),
    takeHost: flag('take over the id of this host from an installation that is gone, and ask before'),
    yes: flag('with --take-host: do not ask', { short: 'y' }),
  },
  { help: TAKE_HELP },
);

export const DOWN = command('daemon.stop', 'stop the daemon and its database; agents stay in their panes');
export type Down = Action<typeof DOWN>;

export const STATUS = command('daemon.status', 'show the daemon, its database, runs, approvals and sessions');
export type Status = Action<typeof STATUS>;

const host = argument('<host>');

export const HOST = {
  list: command('host.list', 'list the hosts, and how many open runs each has'),
  forget: command('host.forget', 'forget a host that is gone for good; its open runs are aborted', { host, yes: YES }),
};
export type Host = Actions<typeof HOST>;

export const DOCTOR = command(
  'daemon.doctor',
  'check what devflow needs on this machine',
  {
    quiet: own(flag('show only what does not pass')),
    listOrphans: flag('list worktrees that belong to no run; removes nothing'),
    strict: flag('also require Docker, pnpm 9, git 2.40, Node 22, 10 GB free and a running database'),
    agents: flag('start each installed agent and check that devflow sees it become ready', {
      conflicts: ['listOrphans', 'strict'],
    }),
    removeOrphanedData: flag('list data of embedded databases whose home is gone, ask, and remove it', {
      conflicts: ['listOrphans', 'strict', 'agents'],
    }),
    yes: own(flag('with --remove-orphaned-data: do not ask', { short: 'y' })),
  },
  { help: AGENTS_HELP },
);

export const TUI = plainCommand('open the dashboard', {
  screen: text('<screen>', 'first screen: runs, approvals, sessions, new, doctor, …'),
  about: text('<id>', 'the run, approval or session to show on that screen'),
});
export type Tui = Action<typeof TUI>;

export const DEMO = plainCommand('play a whole run in a scratch repository, with the fake backend', {
  backtest: flag('improve a strategy until its measurements meet an objective', { conflicts: ['factory'] }),
  factory: flag('make a template for a repository whose scripts and documents lie'),
  fast: flag('no pauses, and devflow approves every gate'),
  dashboard: negated('do not open the dashboard at the end'),
  keep: flag('keep the repository, worktree and database'),
});
export type Demo = Action<typeof DEMO>;

const SERVICE_HELP = `
The service is a unit of your own systemd on Linux (~/.config/systemd/user), and
a launch agent on macOS (~/Library/LaunchAgents). It has the PATH of the shell
that installs it. systemd ends it when you log out everywhere, unless linger is
on for you: loginctl enable-linger.`;

/** Starts devflow at log-in. */
export const SERVICE = {
  install: plainCommand(
    'show the service, ask, and install it',
    { dryRun: flag('only show what it would write'), yes: flag('write it without a question') },
    { help: SERVICE_HELP },
  ),
  remove: plainCommand('remove the service; a daemon that runs goes on', { yes: flag('remove it without a question') }),
  status: plainCommand('show whether it is installed, and whether it runs', { json: JSON_FLAG }),
  run: plainCommand('keep the daemon in the foreground, as the service does'),
};
