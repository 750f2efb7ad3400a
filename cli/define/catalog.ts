import type { Command } from 'commander';
import { graphOptions } from './graphOptions.ts';
import { type Cli, group } from './leaf.ts';

/** Templates, personas, artifacts and the policy. */
export function defineCatalog(program: Command, cli: Cli): void {
  group(program, cli, 'template', 'list, show and check workflow templates', ({ dataLeaf }) => {
    dataLeaf('list', 'list templates', () => import('../commands/template.list.ts'));
    graphOptions(dataLeaf('show <template>', 'show a template', () => import('../commands/template.show.ts')));
    dataLeaf('validate <file>', 'check a template file', () => import('../commands/template.validate.ts'));
  });

  group(program, cli, 'persona', 'list, show and check agent personas', ({ dataLeaf }) => {
    dataLeaf('list', 'list personas', () => import('../commands/persona.list.ts'));
    dataLeaf('show <persona>', 'show a persona', () => import('../commands/persona.show.ts'));
    dataLeaf('validate <file>', 'check a persona file', () => import('../commands/persona.validate.ts'));
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
