import { examplePersona } from '../../schemas/definitions/examples/examplePersona.ts';
import type { Backend } from '../../schemas/enums.ts';
import { newDefinitionPath } from '../input/newDefinition.ts';
import type { Action } from '../io/io.ts';
import { writeNew } from '../io/writeNew.ts';
import { printCreated } from '../print/created.ts';

export const action: Action = async ([name]: [string], { backend, out }: { backend: Backend; out?: string }, io) => {
  const path = newDefinitionPath(io, 'personas', name, out);
  const text = examplePersona(name, backend);
  if (path === undefined) io.out(text);
  else {
    writeNew(path, text);
    printCreated(io, 'persona', path);
  }
  return 0;
};
