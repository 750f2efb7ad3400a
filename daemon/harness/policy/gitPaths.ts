import { type Candidate, candidatesOf } from './argumentRoles.ts';
import type { Word } from './finding.ts';
import { readGit } from './gitRules.ts';

/** Subcommands whose operands are files throughout. */
const FILES = new Set([
  'add',
  'stage',
  'rm',
  'mv',
  'restore',
  'commit',
  'apply',
  'am',
  'hash-object',
  'update-index',
  'ls-files',
  'blame',
]);
const MESSAGES = ['-m', '--message', '--author', '--date', '--grep', '--format', '--pretty', '-S', '-G', '--trailer'];

/** Words of a git call that may name files; refs such as `fix/token` count only when they look like files. */
export function gitCandidates(words: readonly Word[]): Candidate[] {
  const { subcommand, args, paths } = readGit(words);
  const own = candidatesOf({}, paths);
  const name = subcommand?.text ?? '';
  if (name === 'grep') {
    return [...own, ...candidatesOf({ text: ['-e', '-A', '-B', '-C', '-m'], operands: 1, unless: ['-e', '-f'] }, args)];
  }
  // `-S` signs a commit there, and takes a pattern only in log and diff.
  const text =
    name === 'commit' || name === 'tag' ? MESSAGES.filter((option) => option !== '-S' && option !== '-G') : MESSAGES;
  return [...own, ...candidatesOf({ text, names: !FILES.has(name) }, args)];
}
