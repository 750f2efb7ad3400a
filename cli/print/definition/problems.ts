import type { DefinitionProblem } from '../../../schemas/rpc/views/definition.ts';
import type { Io } from '../../io/io.ts';
import { paint } from '../output.ts';
import { visible } from '../text.ts';

/**
 * Prints on standard error which files of the user the daemon does not load, and why. Directories that it does not
 * watch follow. An older daemon may report none.
 */
export function printProblems(
  io: Io,
  { problems = [] }: { problems?: readonly DefinitionProblem[] },
  only?: DefinitionProblem['kind'],
): void {
  const files = problems.filter(({ kind }) => kind !== 'directory' && (only === undefined || kind === only));
  for (const { kind, file, message } of files) {
    io.err(`${paint(io, 'yellow', `The ${kind} file ${visible(file)} is not loaded`)}: ${visible(message)}\n`);
  }
  const them = files.length === 1 ? 'it' : 'them';
  if (files.length > 0) io.err(`Fix ${them}. The daemon reads ${them} again when you save.\n`);
  for (const { file, message } of problems.filter(({ kind }) => kind === 'directory')) {
    io.err(`${paint(io, 'yellow', `The directory ${visible(file)}`)}: ${visible(message)}\n`);
  }
}
