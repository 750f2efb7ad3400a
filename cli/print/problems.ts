import type { DefinitionProblem } from '../../schemas/rpc/views/definition.ts';
import type { Io } from '../io/io.ts';
import { paint } from './output.ts';
import { visible } from './text.ts';

/**
 * Prints on standard error which of the user's own files the daemon does not load, and why. An older daemon may report
 * none.
 */
export function printProblems(
  io: Io,
  { problems = [] }: { problems?: readonly DefinitionProblem[] },
  only?: DefinitionProblem['kind'],
): void {
  const shown = problems.filter(({ kind }) => only === undefined || kind === only);
  for (const { kind, file, message } of shown) {
    io.err(`${paint(io, 'yellow', `The ${kind} file ${visible(file)} is not loaded`)}: ${visible(message)}\n`);
  }
  const them = shown.length === 1 ? 'it' : 'them';
  if (shown.length > 0) io.err(`Fix ${them}, then run devflow down and devflow up.\n`);
}
