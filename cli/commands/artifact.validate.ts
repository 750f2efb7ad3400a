import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { readInput } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { printArtifactVerdict } from '../print/verdict.ts';

export const action: Action = async ([schema, file]: [string, string], { json }: { json?: boolean }, io) => {
  const text = await readInput(io, file, 'the artifact file');
  const verdict = await callDaemonOrOneshot(io, 'artifact.validate', { schema, text });
  return printArtifactVerdict(io, verdict, file, json);
};
