import { type Actions, command } from './command.ts';
import { REPO, softMode } from './contract.ts';
import { argument, flag, number, required, text } from './entry.ts';

const staleDays = number('<days>', 'a slug variant is stale after this many days (default: 21)');
const archiveRuns = number('<number>', 'how many archives are kept (default: as configured, else 5)');
const apply = flag('move the files');

/** The state directory of a repository: `.devt/state`. */
export const STATE = {
  audit: command('state.audit', 'classify everything in the directory', {
    ...REPO,
    staleDays,
    mode: softMode('only warn of names that match nothing'),
  }),
  validate: command('state.validate', 'check what the files say', REPO),
  cleanup: command('state.cleanup', 'archive what is foreign, left over or stale', {
    ...REPO,
    apply,
    staleDays,
    adHocStaleDays: number('<days>', 'spare foreign files younger than this'),
    archiveRuns,
  }),
  reset: command('state.reset', 'archive everything but logs and locks', { ...REPO, apply, archiveRuns }),
  evict: command('state.evict', 'archive gate markers, and results from before the session', {
    ...REPO,
    apply,
    archiveRuns,
  }),
  init: command('state.init', 'begin a workflow: evict, clean up, stamp workflow.yaml', {
    ...REPO,
    type: required(text('<type>', 'the type of the workflow')),
    task: text('<text>', 'what it is for'),
    apply: flag('move the files and write workflow.yaml'),
  }),
  read: command('state.read', 'show workflow.yaml, or one of its values', { key: argument('[key]'), ...REPO }),
  update: command('state.update', 'set values of workflow.yaml: key=value', { pairs: argument('<pairs...>'), ...REPO }),
  sidecar: command('state.sidecar', 'check one sidecar, such as review.json', { name: argument('<name>'), ...REPO }),
  history: command('state.history', 'list the archives, newest first', {
    ...REPO,
    limit: number('<number>', 'only this many'),
  }),
  references: command('state.references', 'find the state files that prompts and workflows name', {
    files: argument('<files...>'),
    ...REPO,
  }),
  classify: command('state.classify', 'say the bucket of names', {
    names: argument('[names...]'),
    ...REPO,
    lane: text('<text>', 'show the file name of a lane'),
  }),
};
export type State = Actions<typeof STATE>;
