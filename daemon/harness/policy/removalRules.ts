import { posix } from 'node:path';
import { type Finding, mayBeOption, unreadable, type Word } from './finding.ts';
import { given, parseOptions } from './options.ts';

const HOME = /^(?:~[\w-]*|\$HOME|\$\{HOME\})$/;

/** rm and what is rm under another name. */
export function removalRule(program: string, args: Word[]): Finding | undefined {
  if (program === 'rimraf' || program === 'rimraf.js') {
    return { rule: 'rm_recursive_force', reason: 'rimraf removes directories without asking, as rm -rf does' };
  }
  if ((program === 'find' || program === 'gfind') && args.some((word) => word.text === '-delete')) {
    return { rule: 'find_delete', reason: 'find -delete removes whole trees without asking' };
  }
  if (program !== 'rm' && program !== 'grm') return undefined;
  const { options, operands } = parseOptions(args);
  const recursive = given(options, '-r', '-R', '--recursive');
  if (recursive && given(options, '-f', '--force')) {
    return { rule: 'rm_recursive_force', reason: 'rm with both recursive and force removes trees without asking' };
  }
  if (given(options, '--no-preserve-root')) {
    return { rule: 'rm_root_or_home', reason: 'rm --no-preserve-root is only for removing /' };
  }
  if (recursive && operands.some((word) => isRootOrHome(word.text))) {
    return { rule: 'rm_root_or_home', reason: 'it would remove the root or a home directory' };
  }
  const dashes = args.findIndex((word) => word.text === '--');
  if (args.slice(0, dashes < 0 ? undefined : dashes).some(mayBeOption)) {
    return unreadable('rm is given words from variables that may be options (put -- before file names)');
  }
  return undefined;
}

/** find's -exec rm removes trees as rm -rf does, file by file. */
export function findExecRule(program: string, args: Word[]): Finding | undefined {
  if (program !== 'find' && program !== 'gfind') return undefined;
  const removes = args.some(
    ({ text }, i) => /^-exec(?:dir)?$/.test(text) && /^(?:.*\/)?rm$/.test(args[i + 1]?.text ?? ''),
  );
  return removes ? { rule: 'find_delete', reason: 'find -exec rm removes whole trees without asking' } : undefined;
}

function isRootOrHome(text: string): boolean {
  const path = posix.normalize(text.replace(/\/\**$/, '') || '/');
  return (
    path === '/' ||
    path === '/..' ||
    HOME.test(path.replace(/\/$/, '')) ||
    /^\/(?:home|root|Users)(?:\/[^/]+)?$/.test(path)
  );
}
