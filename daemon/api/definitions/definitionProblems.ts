import { dirname } from 'node:path';
import type { Problem } from '../../../schemas/definitions/yamlFile.ts';
import type { DefinitionProblem } from '../../../schemas/rpc/views/definition.ts';

/** The user's faulty files, which the lists leave out. */
export function definitionProblems(problems: readonly Problem[], templatesDir: string): DefinitionProblem[] {
  return problems.map(({ file, path, message, line, column }) => ({
    kind: [file, dirname(file)].includes(templatesDir) ? 'template' : 'persona',
    file,
    message: [
      ...(line === undefined ? [] : [`line ${line}, column ${column}`]),
      ...(path === '' ? [] : [path]),
      message,
    ].join(': '),
  }));
}
