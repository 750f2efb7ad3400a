import { type Command, Option } from 'commander';
import { type Cli, leavesOf, repeated } from './leaf.ts';

const HELP = `
Without options it reviews the commits of HEAD that the main branch does not
have. Exit code 0: no defect keeps the change from passing, 1: at least one
does, 4: there is nothing to review, 6: it has not ended within --timeout.
Any other code is a failure.`;

export function defineReview(program: Command, cli: Cli): void {
  leavesOf(program, cli)
    .dataLeaf('review [dir]', 'review a change in a git repository', () => import('../commands/review.ts'))
    .option(
      '--base <ref>',
      'compare with this branch or commit (default: the main branch; with --staged or\n--worktree: HEAD)',
    )
    .option('--head <ref>', 'the newest commit to review (default: HEAD)')
    .addOption(new Option('--staged', 'review what is staged').conflicts(['head', 'worktree']))
    .addOption(new Option('--worktree', 'review all uncommitted changes').conflicts(['head', 'staged']))
    .option('-m, --message <text>', 'what the change is for; repeatable, one paragraph each', repeated)
    .option(
      '--verify <command>',
      'check that must pass, which devflow runs on the reviewed code: words, or a JSON\nlist; repeatable',
      repeated,
    )
    .option('--bind <role=persona>', 'persona for a role; repeatable', repeated)
    .option('--backend <role=backend>', 'backend for a role; repeatable (default: as in the last run here)', repeated)
    .option('--timeout <duration>', 'exit with 6 after this time, such as 90s, 30m or 2h; the review goes on')
    .addOption(new Option('--sarif', 'print SARIF 2.1.0, for code scanning tools').conflicts('json'))
    .addHelpText('after', HELP);
}
