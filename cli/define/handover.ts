import { HANDOVER_KINDS } from '../../schemas/contracts/handover/document/contract.ts';
import { usage } from '../input/parse.ts';
import { type Actions, command } from './command.ts';
import { REPO, SOFT, STRICT } from './contract.ts';
import { argument, flag, oneOf, own, parsed } from './entry.ts';

const path = (takes: '<path>' | '<project>' | '<review>', about?: string) => parsed(argument(takes, about), notEmpty);
const project = path('<project>');

/** An empty path would mean the repository itself. */
function notEmpty(_: string, given: string): string {
  if (given === '') throw usage('a path is empty');
  return given;
}

/** The handovers of a project: `.claude/projects/{date}-{slug}/`. */
export const HANDOVER = {
  validate: command('handover.validate', 'check one handover, wherever it is', {
    kind: oneOf(argument('<kind>', 'the kind of handover'), HANDOVER_KINDS),
    path: path('<path>', 'the file, or the directory of an architecture'),
    ...REPO,
    soft: SOFT,
    strict: STRICT,
    dir: flag('with research: check all files of the directory'),
    resume: flag('with progress: it must have something left to do'),
  }),
  check: command('handover.check', 'check all handovers of a project, each as its reader does', {
    project,
    ...REPO,
    strict: flag('check brief, research and review as their writer does'),
  }),
  findings: command('handover.findings', 'list what a remediation plan must serve', {
    review: path('<review>'),
    ...REPO,
  }),
  drift: command('handover.drift', 'compare the progress with the commits of git', {
    project,
    ...REPO,
    apply: flag('write what git says, and refresh the session state'),
  }),
  next: command('handover.next', 'say what the next session begins with', { project, ...REPO }),
  cleanup: command('handover.cleanup', 'remove the session state and prompt of a completed session', {
    project,
    ...REPO,
    apply: flag('remove them; without it, only say so'),
    confirm: own(flag('the same as --apply')),
  }),
};
export type Handover = Actions<typeof HANDOVER>;
