import { exampleTemplate } from '../../schemas/definitions/examples/exampleTemplate.ts';
import type { Template } from '../define/catalog.ts';
import { newDefinition, writeDefinition } from '../input/newDefinition.ts';

export const action: Template['new'] = async (_params, { name, kind, out }, io) => {
  const target = await newDefinition(io, 'template', name, out);
  writeDefinition(io, 'template', name, target, exampleTemplate(name, kind, target.version));
  return 0;
};
