import type { DefinitionProblem } from '../../schemas/rpc/views/definition.ts';
import type { Io } from '../io.ts';
import { paint } from './output.ts';
import { visible } from './text.ts';

/**
 * Says on standard error which of the user's own files the daemon left out, and why. A daemon that was started before
 * an upgrade may tell of none.
 */
export function printProblems(
  io: Io,
  { problems = [] }: { problems?: readonly DefinitionProblem[] },
  only?: DefinitionProblem['kind'],
): void {
  const told = problems.filter(({ kind }) => only === undefined || kind === only);
  for (const { kind, file, message } of told) {
    io.err(`${paint(io, 'yellow', `The ${kind} file ${visible(file)} is left out`)}: ${visible(message)}\n`);
  }
  if (told.length > 0) io.err('Mend it, then: devflow down, devflow up.\n');
}
