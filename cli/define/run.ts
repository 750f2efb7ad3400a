import type { Command } from 'commander';
import { RUN_STATES } from '../../schemas/states/run.ts';
import { graphOptions } from './graphOptions.ts';
import { type Cli, group, type Leaves, leavesOf, repeated } from './leaf.ts';
import { listOptions } from './listOptions.ts';

const MOVES = {
  pause: 'pause a run; its gates stay as they are',
  resume: 'resume a paused run',
  abort: 'abort a run; worktrees and branches stay',
};

export function defineRun(program: Command, cli: Cli): void {
  group(program, cli, 'run', 'start, follow and control runs', fillRun);
  leavesOf(program, cli)
    .dataLeaf('cleanup <run>', 'remove the worktrees of an ended run', () => import('../commands/cleanup.ts'))
    .option('--lane <lane>', 'only this lane (default: all lanes)')
    .option('--force', 'also remove uncommitted work, after you approve a gate');
}

function fillRun({ dataLeaf }: Leaves): void {
  dataLeaf('start', 'start a run', () => import('../commands/run.start.ts'))
    .requiredOption('--template <template>', 'name, or name@version')
    .option(
      '--draft',
      'start the draft of that name, or a template file, with the drafts of its schemas and of personas that --bind names',
    )
    .option('-m, --message <text>', 'the requirements; repeatable, one paragraph each (default: your editor)', repeated)
    .option('--requirements <file>', 'text file with the requirements; - for standard input')
    .option('--repo <dir>', 'directory in a git repository with a checkout (default: the current one)')
    .option('--base <branch>', 'branch to start from (default: the one checked out)')
    .option('--objective <file>', 'JSON file with an object, for a template that takes an objective')
    .option('--extra <file>', 'JSON file with commands: {"<command phase>": [["npm","test"], …]}')
    .option('--verify <command>', 'command for the verify phase: words, or a JSON list; repeatable', repeated)
    .option('--bind <role=persona>', 'persona for a role; repeatable', repeated)
    .option('--backend <role=backend>', 'backend for a role; repeatable (default: as in the last run here)', repeated)
    .option('--host <host>', 'the host that gets the run; --repo is a directory there (default: this one)')
    .option('--parallel', 'start even if a run of this repository and base branch is open')
    .option('--wait', 'wait until the run ends; Ctrl-C leaves it running')
    .option('--timeout <duration>', 'with --wait: exit with 6 after this time, such as 30m; the run goes on')
    .option('--dry-run', 'show what would start, and start nothing');
  const list = dataLeaf(
    'list',
    'list open runs and the latest ended ones, newest first',
    () => import('../commands/run.list.ts'),
  );
  listOptions(list, {
    states: RUN_STATES,
    of: 'runs',
    all: 'all runs, without a limit',
    always: 'all that are open',
  });
  dataLeaf('show <run>', 'show a run', () => import('../commands/run.show.ts'));
  dataLeaf('lanes <run>', 'show the parallel work of a run', () => import('../commands/run.lanes.ts'));
  graphOptions(
    dataLeaf('graph <run>', 'show the tasks of a run in their order', () => import('../commands/run.graph.ts')),
  );
  dataLeaf(
    'findings <run>',
    'list what the reviewers of a run found',
    () => import('../commands/run.findings.ts'),
  ).option('--sarif', 'print SARIF 2.1.0, for code scanning tools');
  dataLeaf('events <run>', 'print the event log of a run', () => import('../commands/run.events.ts'))
    .option('--follow', 'print new events until the run ends')
    .option('--after <seq>', 'only events after this number');
  dataLeaf('report <run>', 'print the report of a run', () => import('../commands/run.report.ts'));
  dataLeaf(
    'verify <run>',
    'check that replaying the events of a run gives its stored rows',
    () => import('../commands/run.verify.ts'),
  );
  dataLeaf(
    'diff <run>',
    "show what a run's branch changes against its base commit",
    () => import('../commands/run.diff.ts'),
  )
    .option('--stat', 'only how many lines of each file change')
    .option('--name-only', 'only the names of the files')
    .option('--no-pager', 'do not use a pager');
  dataLeaf(
    'apply <run>',
    "bring an ended run's work into the branch that is checked out",
    () => import('../commands/run.apply.ts'),
  )
    .option('--merge', 'with a merge commit (default: fast-forward if possible, else a merge commit)')
    .option('--squash', 'as one commit')
    .option('--branch <name>', 'create a new branch with the work; no checkout changes')
    .option('--repo <dir>', "another worktree of the run's repository (default: where the run was started)")
    .option('--head <commit>', 'accept the branch at this commit, also if it moved after the approval')
    .option('--at <commit>', 'apply this approved commit, wherever the branch is now')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--print', 'print the git and gh commands, and change nothing');
  dataLeaf(
    'skip <run> <phase>',
    'skip an optional phase before it begins',
    () => import('../commands/run.skip.ts'),
  ).requiredOption('--reason <text>', 'why nothing is to be done there');
  dataLeaf('reopen <run> <lane>', 'take an abandoned lane up again', () => import('../commands/run.reopen.ts')).option(
    '--comment <text>',
    'what its agent should know',
  );
  dataLeaf(
    'progress <run> <number> <name> [detail]',
    'say how far the running phase is',
    () => import('../commands/run.progress.ts'),
  );
  for (const move of ['pause', 'resume', 'abort'] as const) {
    const command = dataLeaf(`${move} <run>`, MOVES[move], () => import('../commands/run.move.ts')).option(
      '--reason <text>',
      'reason, for the event log',
    );
    if (move === 'abort') command.option('-y, --yes', 'do not ask for confirmation');
  }
}
