import { exampleTemplate } from '../../schemas/definitions/examples/exampleTemplate.ts';
import type { Template } from '../define/catalog.ts';
import { newDefinition } from '../input/newDefinition.ts';
import { writeNew } from '../io/writeNew.ts';
import { printCreated } from '../print/created.ts';

export const action: Template['new'] = async (_params, { name, kind, out }, io) => {
  const { version, path, isDraft } = await newDefinition(io, 'template', name, out);
  const text = exampleTemplate(name, kind, version);
  if (path === undefined) io.out(text);
  else {
    writeNew(path, text);
    printCreated(io, 'template', path, isDraft ? name : undefined);
  }
  return 0;
};
