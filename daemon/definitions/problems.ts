import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Definitions } from '../../schemas/definitions/definitions.ts';
import { personaWarnings } from '../../schemas/definitions/persona.ts';
import { type Problem, problemSentence } from '../../schemas/definitions/yamlFile.ts';
import type { DefinitionProblem } from '../../schemas/rpc/views/definition.ts';

/** Logs the faults of the definitions, except those that were there before. */
export function logFaults(now: Definitions, log: Pick<Logger, 'warn'>, before?: Definitions): void {
  const known = new Set(before && sentences(before).map(({ text }) => text));
  for (const { file, text } of sentences(now)) if (!known.has(text)) log.warn({ file }, text);
}

function sentences({ errors, personas }: Definitions): { file: string; text: string }[] {
  return [
    ...errors.map((problem) => ({ file: problem.file, text: problemSentence(problem) })),
    ...personas.flatMap(({ file, definition }) =>
      personaWarnings(definition).map(({ path, message }) => ({ file, text: `${path} ${message}` })),
    ),
  ];
}

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
