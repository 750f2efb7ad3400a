import type { Command } from 'commander';
import { repoOption } from './contractOptions.ts';
import { type Cli, group } from './leaf.ts';

const load = () => import('../commands/cycle.ts');

/** Cycles: four agents, iterations, and one state that says where they are. */
export function defineCycle(program: Command, cli: Cli): void {
  group(program, cli, 'cycle', 'keep the state of parallel development cycles', ({ dataLeaf }) => {
    const leaf = (spec: string, summary: string) => repoOption(dataLeaf(spec, summary, load));
    leaf('new', 'make a cycle')
      .requiredOption('--task <text>', 'what is to be done')
      .option('--description <text>', 'the same in detail; without it, the task')
      .option('--max-iterations <n>', 'the limit of iterations; 5 without it')
      .option('--id <id>', 'the id; without it, one is made');
    leaf('list', 'list the ids of the cycles');
    leaf('show <id>', 'show the state of a cycle');
    leaf('validate <id>', 'check the state of a cycle').option('--soft', 'only warn of what is missing');
    leaf('control <id>', 'say whether the agents may go on; exit code 0 only then');
    leaf('pause <id>', 'pause a cycle');
    leaf('resume <id>', 'resume a paused cycle');
    leaf('fail <id>', 'mark a cycle as failed').requiredOption('--reason <text>', 'why it failed');
    leaf('complete <id>', 'complete a cycle after its last iteration');
    leaf('extend <id>', 'start the next iteration for a further task')
      .requiredOption('--task <text>', 'what is to be done in addition')
      .option('--max-iterations <n>', 'a higher limit of iterations');
    leaf('apply <id>', 'apply an event to a cycle').requiredOption(
      '--event <json>',
      'the event as JSON; - for standard input',
    );
    leaf('rebuild <id>', 'make the state of a cycle anew from its documents')
      .option('--apply', 'write it; without this it is a dry run')
      .option('--force', 'replace a state that can be read, too');
    leaf('sync <id>', 'compare the documents of a cycle with its state').option(
      '--apply',
      'write again what differs; logs only grow',
    );
  });
}
