import { type Command, Option } from 'commander';
import { type Cli, group, leavesOf } from './leaf.ts';

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

export function defineDaemon(program: Command, cli: Cli): void {
  const { leaf, dataLeaf } = leavesOf(program, cli);
  dataLeaf('up', 'start the daemon and its database, and wait until they are ready', () => import('../commands/up.ts'))
    .addOption(new Option('--db <mode>', 'which database to use').choices(['embedded', 'compose', 'external']))
    .option('--foreground', 'stay attached and show the log')
    .option('--take-host', 'take over the id of this host from an installation that is gone, and ask before')
    .option('-y, --yes', 'with --take-host: do not ask')
    .addHelpText('after', TAKE_HELP);
  dataLeaf('down', 'stop the daemon and its database; agents stay in their panes', () => import('../commands/down.ts'));
  dataLeaf(
    'status',
    'show the daemon, its database, runs, approvals and sessions',
    () => import('../commands/status.ts'),
  );
  group(program, cli, 'host', 'the machines that share a database', ({ dataLeaf: hostLeaf }) => {
    hostLeaf('list', 'list the hosts, and how many open runs each has', () => import('../commands/host.list.ts'));
    hostLeaf(
      'forget <host>',
      'forget a host that is gone for good; its open runs are aborted',
      () => import('../commands/host.forget.ts'),
    ).option('-y, --yes', 'do not ask for confirmation');
  });
  dataLeaf('doctor', 'check what devflow needs on this machine', () => import('../commands/doctor.ts'))
    .option('--quiet', 'show only what does not pass')
    .option('--list-orphans', 'list worktrees that belong to no run; removes nothing')
    .option('--strict', 'also require Docker, pnpm 9, git 2.40, Node 22, 10 GB free and a running database')
    .addOption(
      new Option('--agents', 'start each installed agent and check that devflow sees it become ready').conflicts([
        'listOrphans',
        'strict',
      ]),
    )
    .addOption(
      new Option(
        '--remove-orphaned-data',
        'list data of embedded databases whose home is gone, ask, and remove it',
      ).conflicts(['listOrphans', 'strict', 'agents']),
    )
    .option('-y, --yes', 'with --remove-orphaned-data: do not ask')
    .addHelpText('after', AGENTS_HELP);
  leaf('tui', 'open the dashboard', () => import('../commands/tui.ts'))
    .option('--screen <screen>', 'first screen: runs, approvals, sessions, new, doctor, …')
    .option('--about <id>', 'the run, approval or session to show on that screen');
  leaf('demo', 'play a whole run in a scratch repository, with the fake backend', () => import('../commands/demo.ts'))
    .addOption(
      new Option('--backtest', 'improve a strategy until its measurements meet an objective').conflicts('factory'),
    )
    .option('--factory', 'make a template for a repository whose scripts and documents lie')
    .option('--fast', 'no pauses, and devflow approves every gate')
    .option('--no-dashboard', 'do not open the dashboard at the end')
    .option('--keep', 'keep the repository, worktree and database');
}
