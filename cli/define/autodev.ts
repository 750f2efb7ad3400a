import { type Command, Option } from 'commander';
import { FLOW_NAMES } from '../../schemas/contracts/autodev/flowNames.ts';
import { repoOption } from './contractOptions.ts';
import { type Cli, group } from './leaf.ts';

const load = () => import('../commands/autodev.ts');

/** The pointer to the current step of a flow: `_docs/_autodev_state.md`. */
export function defineAutodev(program: Command, cli: Cli): void {
  group(program, cli, 'autodev', 'follow the pointer to the current step of a flow', ({ dataLeaf }) => {
    repoOption(dataLeaf('show', 'check the pointer and list the steps of its flow', load));
    repoOption(dataLeaf('detect', 'say which step the folders show, whatever the pointer says', load))
      .addOption(new Option('--flow <flow>', 'the flow (default: chosen by the repository)').choices(FLOW_NAMES))
      .option('--cycle <number>', 'the feature cycle (default: the highest one that has a report)');
    repoOption(dataLeaf('reconcile', 'say where the work goes on, by pointer and folders', load)).option(
      '--apply',
      'write the pointer if the folders contradict it',
    );
    repoOption(dataLeaf('record <event>', 'record started, sub-step, completed, skipped or retry-failed', load))
      .option('--decided', 'with started: you decided to go on after three failed retries')
      .option('--phase <number>', 'with sub-step: the phase')
      .option('--name <name>', 'with sub-step: the name of the phase')
      .option('--detail <text>', 'with sub-step: a note');
    repoOption(dataLeaf('flows [flow]', 'show the steps, boundaries and rules of the flows', load));
  });
}
