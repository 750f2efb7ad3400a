import { posix } from 'node:path';
import { beforeDashes, type Call, type CallRule, mayBeOption, type Word } from '../call/call.ts';
import { given, parseOptions } from '../call/options.ts';
import { unreadable, type Violation } from '../call/violation.ts';

const HOME = /^(?:~[\w-]*|\$HOME|\$\{HOME\})$/;
const REMOVERS = /^(?:.*\/)?(?:g?rm|unlink|shred|rimraf|trash)$/;

/** True if the word names a program that deletes files. */
export function isRemover(text: string): boolean {
  return REMOVERS.test(text);
}

/** True for the arguments of `rm -rf`, which has a separate rule. */
export function forces(args: Word[]): boolean {
  const { options } = parseOptions(args);
  return given(options, '-r', '-R', '--recursive') && given(options, '-f', '--force');
}

function* rmRule({ args }: Call): Generator<Violation> {
  const { options, operands } = parseOptions(args);
  const recursive = given(options, '-r', '-R', '--recursive');
  if (forces(args))
    yield { rule: 'rm_recursive_force', reason: 'rm with -r and -f deletes whole directories without asking' };
  else if (given(options, '--no-preserve-root'))
    yield { rule: 'rm_root_or_home', reason: 'rm --no-preserve-root can delete /' };
  else if (recursive && operands.some((word) => isRootOrHome(word.text)))
    yield { rule: 'rm_root_or_home', reason: 'it would delete / or a home directory' };
  else if (beforeDashes(args).some(mayBeOption))
    yield unreadable('rm gets arguments from variables that may be options (put -- before file names)');
}

function* rimrafRule({ args }: Call): Generator<Violation> {
  if (args.some((word) => !/^--?(?:v|version|h|help)$/.test(word.text)))
    yield { rule: 'rm_recursive_force', reason: 'rimraf deletes directories without asking, like rm -rf' };
}

const EXEC = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

/** find -delete, and a program that deletes after -exec: they delete whole directories, like rm -rf. */
function* findRule({ name, args }: Call): Generator<Violation> {
  if (args.some((word) => word.text === '-delete' && !word.role))
    yield { rule: 'find_delete', reason: `${name} -delete deletes whole directories without asking` };
  const at = args.findIndex((word) => EXEC.test(word.text));
  if (at < 0) return;
  const run = args.slice(at + 1);
  if (run.some((word, i) => !word.role && isRemover(word.text) && !forces(run.slice(i + 1))))
    yield { rule: 'find_delete', reason: `${name} ${args[at]?.text} deletes whole directories without asking` };
  if (run[0]?.text === '{}' || run.some((word) => /\{\}./.test(word.text) && /\s/.test(word.text)))
    yield unreadable(`${name} builds a command from file names`);
}

export const REMOVAL: Record<string, CallRule> = {
  rm: rmRule,
  grm: rmRule,
  rimraf: rimrafRule,
  find: findRule,
  gfind: findRule,
  fd: findRule,
  fdfind: findRule,
};

function isRootOrHome(text: string): boolean {
  const path = posix.normalize(text.replace(/\/\**$/, '') || '/');
  return (
    path === '/' ||
    path === '/..' ||
    HOME.test(path.replace(/\/$/, '')) ||
    /^\/(?:home|root|Users)(?:\/[^/]+)?$/.test(path)
  );
}
