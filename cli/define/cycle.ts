import { type Actions, command } from './command.ts';
import { REPO, softMode } from './contract.ts';
import { argument, flag, number, own, required, text } from './entry.ts';

const ONE = { id: argument('<id>'), ...REPO };

/** Cycles: four agents, iterations, and one state that says where they are. */
export const CYCLE = {
  new: command('cycle.new', 'make a cycle', {
    ...REPO,
    task: required(text('<text>', 'what is to be done')),
    description: text('<text>', 'the same in detail; without it, the task'),
    maxIterations: number('<n>', 'the limit of iterations; 5 without it'),
    id: text('<id>', 'the id; without it, one is made'),
  }),
  list: command('cycle.list', 'list the ids of the cycles', REPO),
  show: command('cycle.show', 'show the state of a cycle', ONE),
  validate: command('cycle.validate', 'check the state of a cycle', { ...ONE, mode: softMode() }),
  control: command('cycle.control', 'say whether the agents may go on; exit code 0 only then', ONE),
  pause: command('cycle.pause', 'pause a cycle', ONE),
  resume: command('cycle.resume', 'resume a paused cycle', ONE),
  fail: command('cycle.fail', 'mark a cycle as failed', { ...ONE, reason: required(text('<text>', 'why it failed')) }),
  complete: command('cycle.complete', 'complete a cycle after its last iteration', ONE),
  extend: command('cycle.extend', 'start the next iteration for a further task', {
    ...ONE,
    task: required(text('<text>', 'what is to be done in addition')),
    maxIterations: number('<n>', 'a higher limit of iterations'),
  }),
  apply: command('cycle.apply', 'apply an event to a cycle', {
    ...ONE,
    event: own(required(text('<json>', 'the event as JSON; - for standard input'))),
  }),
  rebuild: command('cycle.rebuild', 'make the state of a cycle anew from its documents', {
    ...ONE,
    apply: flag('write it; without this it is a dry run'),
    force: flag('replace a state that can be read, too'),
  }),
  sync: command('cycle.sync', 'compare the documents of a cycle with its state', {
    ...ONE,
    apply: flag('write again what differs; logs only grow'),
  }),
};
export type Cycle = Actions<typeof CYCLE>;
