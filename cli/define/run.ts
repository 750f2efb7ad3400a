import type { Command } from 'commander';
import { RUN_STATES } from '../../schemas/states/run.ts';
import { type Cli, dataLeaf, group, repeated } from './leaf.ts';
import { stateFlag } from './stateFlag.ts';

export function defineRun(program: Command, cli: Cli): void {
  group(program, cli, 'run', 'start, follow and steer runs', (run) => defineRunCommands(run, cli));
  dataLeaf(
    program,
    cli,
    'cleanup <run>',
    'remove the worktrees of a finished run',
    () => import('../commands/cleanup.ts'),
  )
    .option('--lane <lane>', 'only this lane')
    .option('--force', 'also uncommitted work, after a gate');
}

function defineRunCommands(run: Command, cli: Cli): void {
  dataLeaf(run, cli, 'start', 'start a run', () => import('../commands/run.start.ts'))
    .requiredOption('--template <template>', 'name, or name@version')
    .option('-m, --message <text>', 'what is wanted; repeatable, each a paragraph (default: your editor)', repeated)
    .option('--requirements <file>', 'text file that says what is wanted; - for standard input')
    .option('--repo <dir>', 'directory in a git repository with a checkout (default: the current one)')
    .option('--base <branch>', 'branch to begin from (default: the one checked out)')
    .option('--objective <file>', 'JSON file with an object, for a template that takes an objective')
    .option('--extra <file>', 'JSON file: {"<command phase>": [["npm","test"], …]}')
    .option('--verify <command>', 'command for the phase verify: words, or a JSON list; repeatable', repeated)
    .option('--bind <role=persona>', 'persona for a role; repeatable', repeated)
    .option('--backend <role=backend>', 'backend for a role; repeatable (default: as in the last run here)', repeated)
    .option('--parallel', 'start beside an open run of the same repository and base branch')
    .option('--wait', 'stay until the run ends; Ctrl-C leaves it running')
    .option('--dry-run', 'show what would start, and start nothing');
  dataLeaf(
    run,
    cli,
    'list',
    'list the open runs and those that ended last, newest first',
    () => import('../commands/run.list.ts'),
  )
    .addOption(stateFlag(RUN_STATES, 'only runs in this state'))
    .option('--all', 'all runs, without a limit')
    .option('--limit <n>', 'show the newest <n> and all that are open (default: 100; 0: all)');
  dataLeaf(run, cli, 'show <run>', 'show a run', () => import('../commands/run.show.ts'));
  dataLeaf(run, cli, 'events <run>', 'print the event log of a run', () => import('../commands/run.events.ts'))
    .option('--follow', 'go on until the run ends')
    .option('--after <seq>', 'only events after this number');
  dataLeaf(run, cli, 'report <run>', 'print the report of a run', () => import('../commands/run.report.ts'));
  dataLeaf(
    run,
    cli,
    'verify <run>',
    'prove that the events of a run give its rows',
    () => import('../commands/run.verify.ts'),
  );
  dataLeaf(
    run,
    cli,
    'diff <run>',
    "show what a run's branch changes against its base commit",
    () => import('../commands/run.diff.ts'),
  )
    .option('--stat', 'only how much of each file')
    .option('--name-only', 'only the names of the files')
    .option('--no-pager', 'print all of it, also on a terminal');
  dataLeaf(
    run,
    cli,
    'apply <run>',
    "bring an ended run's work to the branch that is checked out",
    () => import('../commands/run.apply.ts'),
  )
    .option('--merge', 'with a merge commit (default: fast-forward if possible, else a merge commit)')
    .option('--squash', 'as one commit')
    .option('--branch <name>', 'make a new branch at the work; no checkout changes')
    .option('--repo <dir>', "another worktree of the run's repository (default: where the run was started)")
    .option('-y, --yes', 'do not ask')
    .option('--print', 'print the git and gh commands, and change nothing');
  for (const move of ['pause', 'resume', 'abort'] as const) {
    const command = dataLeaf(run, cli, `${move} <run>`, SUMMARY[move], () => import('../commands/run.move.ts')).option(
      '--reason <text>',
      'why, for the log',
    );
    if (move === 'abort') command.option('-y, --yes', 'do not ask on a terminal');
  }
}

const SUMMARY = {
  pause: 'pause a run; its gates stay as they are',
  resume: 'resume a paused run',
  abort: 'abort a run; worktrees and branches stay',
};
