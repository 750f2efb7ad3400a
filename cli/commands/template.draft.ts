import type { Template } from '../define/catalog.ts';
import { action as startRun } from './run.start.ts';

/** A run of the template that makes templates. */
export const action: Template['draft'] = (params, { wish, ...own }, io, command) =>
  startRun({ ...params, template: 'template-factory' }, { ...own, requirements: wish }, io, command);
