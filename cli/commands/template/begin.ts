import { exampleTemplate } from '../../../schemas/definitions/examples/exampleTemplate.ts';
import type { Template } from '../../define/catalog.ts';
import { newDefinition, writeDefinition } from '../../input/newDefinition.ts';
import { action as startRun } from '../run/start.ts';

export const actions: Pick<Template, 'new' | 'draft'> = {
  async new(_params, { name, kind, out }, io) {
    const target = await newDefinition(io, 'template', name, out);
    writeDefinition(io, 'template', name, target, exampleTemplate(name, kind, target.version));
    return 0;
  },
  /** A run of the template that makes templates. */
  draft: (params, { wish, ...own }, io, command) =>
    startRun({ ...params, template: 'template-factory' }, { ...own, requirements: wish }, io, command),
};
