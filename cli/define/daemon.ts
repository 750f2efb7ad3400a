import { type Command, Option } from 'commander';
import { type Cli, dataLeaf, leaf } from './leaf.ts';

const AGENTS_HELP = `
--agents starts each agent that is installed and enabled on a tmux server of its own, in a scratch
repository of devflow's (<state>/doctor/scratch), sends it no prompt, says by which sign it was seen
to be ready or what stood in the way, and ends it. The agents read your own configuration and
log-in, as a run would; devflow changes none of it. What an agent does by itself as it starts
(its log, its list of folders) it does here too.`;

export function defineDaemon(program: Command, cli: Cli): void {
  dataLeaf(
    program,
    cli,
    'up',
    'start database and daemon, and wait until they are ready',
    () => import('../commands/up.ts'),
  )
    .addOption(new Option('--db <mode>', 'which database').choices(['embedded', 'compose', 'external']))
    .option('--foreground', 'stay attached and show the log');
  dataLeaf(
    program,
    cli,
    'down',
    'stop daemon and database; agents stay in their panes',
    () => import('../commands/down.ts'),
  );
  dataLeaf(
    program,
    cli,
    'status',
    'daemon, database, runs, approvals and sessions at a glance',
    () => import('../commands/status.ts'),
  );
  dataLeaf(program, cli, 'doctor', 'check what devflow needs on this machine', () => import('../commands/doctor.ts'))
    .option('--quiet', 'only what does not pass')
    .option('--list-orphans', 'list worktrees that belong to no run; removes nothing')
    .option('--strict', 'apply the strict thresholds')
    .addOption(
      new Option('--agents', 'start each installed agent and see whether it is known again').conflicts([
        'listOrphans',
        'strict',
      ]),
    )
    .addHelpText('after', AGENTS_HELP);
  leaf(program, cli, 'tui', 'open the dashboard', () => import('../commands/tui.ts'))
    .option('--screen <screen>', 'the screen to begin with: runs, approvals, sessions, new, doctor, …')
    .option('--about <id>', 'the run, approval or session that the screen is about');
  leaf(
    program,
    cli,
    'demo',
    'a whole run in a scratch repository, with the fake backend',
    () => import('../commands/demo.ts'),
  )
    .option('--fast', 'no pauses, and devflow decides by itself')
    .option('--no-dashboard', 'do not open the dashboard at the end')
    .option('--keep', 'keep repository, worktree and database to look at');
}
