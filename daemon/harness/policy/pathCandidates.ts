import { type Candidate, candidatesOf, ROLES } from './argumentRoles.ts';
import type { Word } from './finding.ts';
import { gitCandidates } from './gitPaths.ts';

/** The words of a command line that may name files. */
export function pathCandidates(program: string, args: readonly Word[]): Candidate[] {
  if (program === 'git') return gitCandidates(args);
  return candidatesOf(ROLES[program] ?? {}, args);
}
