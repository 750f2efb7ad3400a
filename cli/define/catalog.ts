import type { Command } from 'commander';
import { type Cli, dataLeaf, group } from './leaf.ts';

/** Templates, personas, artifacts and the policy. */
export function defineCatalog(program: Command, cli: Cli): void {
  group(program, cli, 'template', 'workflow templates', (template) => {
    dataLeaf(template, cli, 'list', 'list templates', () => import('../commands/template.list.ts'));
    dataLeaf(template, cli, 'show <template>', 'show a template', () => import('../commands/template.show.ts'));
    dataLeaf(
      template,
      cli,
      'validate <file>',
      'check a template file',
      () => import('../commands/template.validate.ts'),
    );
  });

  group(program, cli, 'persona', 'agent personas', (persona) => {
    dataLeaf(persona, cli, 'list', 'list personas', () => import('../commands/persona.list.ts'));
    dataLeaf(persona, cli, 'show <persona>', 'show a persona', () => import('../commands/persona.show.ts'));
    dataLeaf(persona, cli, 'validate <file>', 'check a persona file', () => import('../commands/persona.validate.ts'));
  });

  group(program, cli, 'artifact', 'files that agents hand in', (artifact) => {
    dataLeaf(
      artifact,
      cli,
      'validate <schema> <file>',
      'check a file against a schema',
      () => import('../commands/artifact.validate.ts'),
    );
    dataLeaf(
      artifact,
      cli,
      'list',
      'list the artifacts of a run',
      () => import('../commands/artifact.list.ts'),
    ).requiredOption('--run <run>', 'the run');
  });

  group(program, cli, 'policy', 'the policy for commands that devflow runs itself', (policy) => {
    dataLeaf(
      policy,
      cli,
      'check <argv...>',
      'would devflow run this command? exit 0 yes, 1 no',
      () => import('../commands/policy.check.ts'),
    )
      .passThroughOptions()
      .addHelpText(
        'after',
        "\nA single word with spaces or shell characters, such as 'rm -rf /', is judged as sh -c '…'.",
      );
  });
}
