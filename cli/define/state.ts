import type { Command } from 'commander';
import { repoOption } from './contractOptions.ts';
import { type Cli, group } from './leaf.ts';

const load = () => import('../commands/state.ts');

/** The state directory of a repository: `.devt/state`. */
export function defineState(program: Command, cli: Cli): void {
  group(program, cli, 'state', 'keep the state directory .devt/state in order', ({ dataLeaf }) => {
    const stale = ['--stale-days <days>', 'a slug variant is stale after this many days (default: 21)'] as const;
    const runs = ['--archive-runs <number>', 'how many archives are kept (default: as configured, else 5)'] as const;
    const add = (spec: string, summary: string) => repoOption(dataLeaf(spec, summary, load));

    add('audit', 'classify everything in the directory')
      .option(...stale)
      .option('--soft', 'only warn of names that match nothing');
    add('validate', 'check what the files say');
    add('cleanup', 'archive what is foreign, left over or stale')
      .option('--apply', 'move the files')
      .option(...stale)
      .option('--ad-hoc-stale-days <days>', 'spare foreign files younger than this')
      .option(...runs);
    add('reset', 'archive everything but logs and locks')
      .option('--apply', 'move the files')
      .option(...runs);
    add('evict', 'archive gate markers, and results from before the session')
      .option('--apply', 'move the files')
      .option(...runs);
    add('init', 'begin a workflow: evict, clean up, stamp workflow.yaml')
      .requiredOption('--type <type>', 'the type of the workflow')
      .option('--task <text>', 'what it is for')
      .option('--apply', 'move the files and write workflow.yaml');
    add('read [key]', 'show workflow.yaml, or one of its values');
    add('update <pairs...>', 'set values of workflow.yaml: key=value');
    add('sidecar <name>', 'check one sidecar, such as review.json');
    add('history', 'list the archives, newest first').option('--limit <number>', 'only this many');
    add('references <files...>', 'find the state files that prompts and workflows name');
    add('classify [names...]', 'say the bucket of names').option('--lane <text>', 'show the file name of a lane');
  });
}
