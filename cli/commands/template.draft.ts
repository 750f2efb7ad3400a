import type { Action } from '../io/io.ts';
import { type StartOptions, action as startRun } from './run.start.ts';

type Options = Pick<
  StartOptions,
  'json' | 'repo' | 'base' | 'message' | 'bind' | 'backend' | 'parallel' | 'wait' | 'dryRun'
> & {
  wish?: string;
};

/** A run of the template that makes templates. */
export const action: Action = (args: [], { wish, ...options }: Options, io, command) =>
  startRun(args, { ...options, template: 'template-factory', requirements: wish }, io, command);
