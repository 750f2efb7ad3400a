import { askDaemonOrProgram } from '../askDaemonOrProgram.ts';
import type { Action } from '../io.ts';
import { readInput } from '../readInput.ts';
import { printVerdict } from '../verdict.ts';

export const action: Action = async ([schema, file]: [string, string], { json }: { json?: boolean }, io) => {
  const text = await readInput(io, file, 'the artifact file');
  const verdict = await askDaemonOrProgram(io, 'artifact.validate', { schema, text });
  return printVerdict(io, verdict, file, json);
};
