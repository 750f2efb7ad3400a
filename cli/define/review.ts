import { waitLimit } from '../input/parse.ts';
import { command } from './command.ts';
import { argument, flag, own, parsed, repeated, text } from './entry.ts';
import { ROLES, SARIF, verify } from './run.ts';

const HELP = `
Without options it reviews the commits of HEAD that the main branch does not
have. Exit code 0: no defect keeps the change from passing, 1: at least one
does, 4: there is nothing to review, 6: it has not ended within --timeout, or
fake took part and it was a rehearsal. Any other code is a failure.`;

export const REVIEW = command(
  'run.start',
  'review a change in a git repository',
  {
    dir: own(argument('[dir]')),
    base: own(
      text(
        '<ref>',
        'compare with this branch or commit (default: the main branch; with --staged or\n--worktree: HEAD)',
      ),
    ),
    head: own(text('<ref>', 'the newest commit to review (default: HEAD)')),
    staged: own(flag('review what is staged', { conflicts: ['head', 'worktree'] })),
    worktree: own(flag('review all uncommitted changes', { conflicts: ['head', 'staged'] })),
    message: own(repeated('<text>', 'what the change is for; repeatable, one paragraph each', { short: 'm' })),
    verify: own(
      verify('check that must pass, which devflow runs on the reviewed code: words, or a JSON\nlist; repeatable'),
    ),
    ...ROLES,
    timeout: own(
      parsed(text('<duration>', 'exit with 6 after this time, such as 90s, 30m or 2h; the review goes on'), waitLimit),
    ),
    sarif: own(flag(SARIF, { conflicts: ['json'] })),
  },
  { help: HELP },
);
