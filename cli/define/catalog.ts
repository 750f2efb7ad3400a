import { type Command, Option } from 'commander';
import { BACKENDS, EXAMPLE_KINDS } from '../../schemas/names.ts';
import { graphOption } from './graphOptions.ts';
import { type Cli, group, repeated } from './leaf.ts';

const DRAFT_HELP = `
devflow reads the repository's own commands, an agent writes the template, and
devflow walks its paths and plays it with fake agents. You approve twice. Then
the template is among your own, never in the repository.`;

const REHEARSE_HELP = `
Exit code 0: every path ends or waits for a person, every phase is reached, and
no path goes around a gate; with --repo the run completed, and its commands
passed. 1: something was found. It starts no agent and changes nothing.`;

const PUBLISH_HELP = `
Exit code 0: the file is among your templates, and its origin beside it. 1: lint
or the walk found something, and nothing was written. 5: the version is taken.`;

/** Templates, personas, artifacts and the policy. */
export function defineCatalog(program: Command, cli: Cli): void {
  group(program, cli, 'template', 'list, show, check and begin workflow templates', ({ leaf, dataLeaf }) => {
    dataLeaf('list', 'list templates', () => import('../commands/template.list.ts'));
    graphOption(dataLeaf('show <template>', 'show a template', () => import('../commands/template.show.ts')));
    dataLeaf('draft', 'begin a template for a repository', () => import('../commands/template.draft.ts'))
      .option('--wish <file>', 'text file that says what the template is for; - for standard input')
      .option('-m, --message <text>', 'the wish; repeatable, one paragraph each (default: your editor)', repeated)
      .option('--repo <dir>', 'directory in a git repository with a checkout (default: the current one)')
      .option('--base <branch>', 'branch to start from (default: the one checked out)')
      .option('--bind <role=persona>', 'persona for a role; repeatable', repeated)
      .option('--backend <role=backend>', 'backend for a role; repeatable (default: as in the last run here)', repeated)
      .option('--parallel', 'start even if a run of this repository and base branch is open')
      .option('--wait', 'wait until the run ends; Ctrl-C leaves it running')
      .option('--dry-run', 'show what would start, and start nothing')
      .addHelpText('after', DRAFT_HELP);
    dataLeaf(
      'rehearse <template-or-file>',
      'walk all paths of a template',
      () => import('../commands/template.rehearse.ts'),
    )
      .option('--repo <dir>', 'play a run with fake agents too, in a copy of this repository')
      .option('--commit <commit>', 'the commit that the run begins at (default: HEAD)')
      .option('--objective <file>', 'JSON file with an objective, for a template that works towards one; with --repo')
      .option('--artifacts <dir>', 'artifact schemas that come with the template (default: artifacts beside the file)')
      .addHelpText('after', REHEARSE_HELP);
    dataLeaf(
      'publish <template-or-file>',
      'publish a draft among your own templates, after lint and a walk',
      () => import('../commands/template.promote.ts'),
    )
      .alias('promote')
      .option(
        '--artifacts <dir>',
        'artifact schemas that come with it, with fixtures/<schema>/{ok,invalid}.json (default: artifacts beside the file)',
      )
      .addHelpText('after', PUBLISH_HELP);
    dataLeaf(
      'validate <file>',
      'check whether the daemon would load a template file',
      () => import('../commands/template.validate.ts'),
    ).addHelpText('after', '\ndevflow template lint says more: what may go wrong in a run.');
    strictly(
      dataLeaf(
        'lint <template-or-file...>',
        'check templates by all rules (docs/lint.md); exit code 1: errors',
        () => import('../commands/template.lint.ts'),
      ),
    );
    dataLeaf(
      'diff <old-template> <new-template>',
      'compare two templates by what they mean; exit code 1: they differ',
      () => import('../commands/template.diff.ts'),
    );
    leaf('new <name>', 'begin a draft with a commented example', () => import('../commands/template.new.ts'))
      .addOption(new Option('--kind <kind>', 'what it shows').choices(EXAMPLE_KINDS).default('quick'))
      .option('--out <file>', 'where to write it, - for standard output (default: your drafts)');
  });

  group(program, cli, 'persona', 'list, show, check and begin agent personas', ({ leaf, dataLeaf }) => {
    dataLeaf('list', 'list personas', () => import('../commands/persona.list.ts'));
    dataLeaf('show <persona>', 'show a persona', () => import('../commands/persona.show.ts'));
    dataLeaf(
      'validate <file>',
      'check whether the daemon would load a persona file',
      () => import('../commands/persona.validate.ts'),
    ).addHelpText('after', '\ndevflow persona lint says more: what may go wrong in a run.');
    strictly(
      dataLeaf(
        'lint <persona-or-file...>',
        'check personas by all rules (docs/lint.md); exit code 1: errors',
        () => import('../commands/persona.lint.ts'),
      ),
    );
    dataLeaf(
      'publish <persona-or-file>',
      'publish a draft among your own personas, after lint',
      () => import('../commands/persona.publish.ts'),
    );
    leaf('new <name>', 'begin a draft with a commented example', () => import('../commands/persona.new.ts'))
      .addOption(new Option('--backend <backend>', 'the agent program').choices(BACKENDS).default('claude'))
      .option('--out <file>', 'where to write it, - for standard output (default: your drafts)');
  });

  group(program, cli, 'artifact', 'list and check artifacts, the files that agents write', ({ dataLeaf }) => {
    dataLeaf(
      'validate <schema> <file>',
      'check a file against a schema',
      () => import('../commands/artifact.validate.ts'),
    );
    dataLeaf('list', 'list the artifacts of a run', () => import('../commands/artifact.list.ts')).requiredOption(
      '--run <run>',
      'the run',
    );
  });

  group(program, cli, 'policy', 'the policy for commands that devflow runs itself', ({ dataLeaf }) => {
    dataLeaf(
      'check <argv...>',
      'check whether devflow would run a command; exit code 0: yes, 1: no',
      () => import('../commands/policy.check.ts'),
    )
      .passThroughOptions()
      .addHelpText(
        'after',
        "\nA single word with spaces or shell characters, such as 'rm -rf /', is\nchecked as sh -c '…'.",
      );
  });
}

function strictly(command: Command): void {
  command.option('--strict', 'exit code 1 for warnings, too');
}
