import { examplePersona } from '../../schemas/definitions/examples/examplePersona.ts';
import type { Backend } from '../../schemas/enums.ts';
import { newDefinition } from '../input/newDefinition.ts';
import type { Action } from '../io/io.ts';
import { writeNew } from '../io/writeNew.ts';
import { printCreated } from '../print/created.ts';

export const action: Action = async ([name]: [string], { backend, out }: { backend: Backend; out?: string }, io) => {
  const { version, path, isDraft } = await newDefinition(io, 'persona', name, out);
  const text = examplePersona(name, backend, version);
  if (path === undefined) io.out(text);
  else {
    writeNew(path, text);
    printCreated(io, 'persona', path, isDraft ? name : undefined);
  }
  return 0;
};
