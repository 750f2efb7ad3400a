import type { Logger } from 'pino';
import type { Definitions } from '../../schemas/definitions/definitions.ts';
import { personaWarnings } from '../../schemas/definitions/persona.ts';
import { problemSentence } from '../../schemas/definitions/yamlFile.ts';

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
