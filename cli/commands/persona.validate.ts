import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { readInput } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { printDefinitionVerdict } from '../print/verdict.ts';

export const action: Action = async ([file]: [string], { json }: { json?: boolean }, io) => {
  const text = await readInput(io, file, 'the persona file');
  const verdict = await callDaemonOrOneshot(io, 'persona.validate', { text });
  return printDefinitionVerdict(io, verdict, file, json);
};
