import { Argument, type Command } from 'commander';
import { HANDOVER_KINDS } from '../../schemas/contracts/handover/contract.ts';
import { repoOption, softOrStrict } from './contractOptions.ts';
import { type Cli, group } from './leaf.ts';

const load = () => import('../commands/handover.ts');

/** The handovers of a project: `.claude/projects/{date}-{slug}/`. */
export function defineHandover(program: Command, cli: Cli): void {
  group(program, cli, 'handover', 'check what one phase of a project hands to the next', ({ dataLeaf }) => {
    const validate = dataLeaf('validate', 'check one handover, wherever it is', load)
      .addArgument(new Argument('<kind>', 'the kind of handover').choices(HANDOVER_KINDS))
      .argument('<path>', 'the file, or the directory of an architecture');
    softOrStrict(repoOption(validate))
      .option('--dir', 'with research: check all files of the directory')
      .option('--resume', 'with progress: it must have something left to do');
    repoOption(dataLeaf('check <project>', 'check all handovers of a project, each as its reader does', load)).option(
      '--strict',
      'check brief, research and review as their writer does',
    );
    repoOption(dataLeaf('findings <review>', 'list what a remediation plan must serve', load));
    repoOption(dataLeaf('drift <project>', 'compare the progress with the commits of git', load)).option(
      '--apply',
      'write what git says, and refresh the session state',
    );
    repoOption(dataLeaf('next <project>', 'say what the next session begins with', load));
    repoOption(dataLeaf('cleanup <project>', 'remove the session state and prompt of a completed session', load))
      .option('--apply', 'remove them; without it, only say so')
      .option('--confirm', 'the same as --apply');
  });
}
