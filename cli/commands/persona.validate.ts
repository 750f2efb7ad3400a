import { askDaemonOrProgram } from '../askDaemonOrProgram.ts';
import type { Action } from '../io.ts';
import { readInput } from '../readInput.ts';
import { printDefinitionVerdict } from '../verdict.ts';

export const action: Action = async ([file]: [string], { json }: { json?: boolean }, io) => {
  const text = await readInput(io, file, 'the persona file');
  const verdict = await askDaemonOrProgram(io, 'persona.validate', { text });
  return printDefinitionVerdict(io, verdict, file, json);
};
