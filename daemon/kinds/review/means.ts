import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import { modeOf } from '../../core/binding/binding.ts';

/** The abilities of an agent of a review. They stand last, because templates say to run things. */
export function meansOf(binding: Binding): string {
  if (modeOf(binding) !== 'read') return 'You may run commands. What you run or change here is thrown away.';
  return BACKEND_FACTS[binding.backend].readerHasShell
    ? 'Your shell can read and change nothing: use git diff, git show and rg. Tests do not run there.'
    : 'You have no shell. Read and search files. Where a text says to run something, read the code that decides it instead.';
}
