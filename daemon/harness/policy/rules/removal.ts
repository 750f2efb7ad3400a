import { posix } from 'node:path';
import { beforeDashes, type Call, type CallRule, mayBeOption, type Word } from '../call/call.ts';
import { given, parseOptions } from '../call/options.ts';
import { unreadable, type Violation } from '../call/violation.ts';

const HOME = /^(?:~[\w-]*|\$HOME|\$\{HOME\})$/;
const REMOVERS = /^(?:.*\/)?(?:g?rm|unlink|shred|rimraf|trash)$/;

/** The name of a program that deletes the files it is given; a script that begins with one is judged as a script. */
export function isRemover(text: string): boolean {
  return REMOVERS.test(text);
}

/** Such a call is `rm -rf` itself, which says more. */
export function forces(args: Word[]): boolean {
  const { options } = parseOptions(args);
  return given(options, '-r', '-R', '--recursive') && given(options, '-f', '--force');
}

function* rmRule({ args }: Call): Generator<Violation> {
  const { options, operands } = parseOptions(args);
  const recursive = given(options, '-r', '-R', '--recursive');
  if (forces(args))
    yield { rule: 'rm_recursive_force', reason: 'rm with both recursive and force removes trees without asking' };
  else if (given(options, '--no-preserve-root'))
    yield { rule: 'rm_root_or_home', reason: 'rm --no-preserve-root is only for removing /' };
  else if (recursive && operands.some((word) => isRootOrHome(word.text)))
    yield { rule: 'rm_root_or_home', reason: 'it would remove the root or a home directory' };
  else if (beforeDashes(args).some(mayBeOption))
    yield unreadable('rm is given words from variables that may be options (put -- before file names)');
}

function* rimrafRule({ args }: Call): Generator<Violation> {
  if (args.some((word) => !/^--?(?:v|version|h|help)$/.test(word.text)))
    yield { rule: 'rm_recursive_force', reason: 'rimraf removes directories without asking, as rm -rf does' };
}

const EXEC = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

/** find -delete, and a removing program behind -exec: file by file they remove trees as rm -rf does. */
function* findRule({ name, args }: Call): Generator<Violation> {
  if (args.some((word) => word.text === '-delete' && !word.role))
    yield { rule: 'find_delete', reason: `${name} -delete removes whole trees without asking` };
  const at = args.findIndex((word) => EXEC.test(word.text));
  if (at < 0) return;
  const run = args.slice(at + 1);
  if (run.some((word, i) => !word.role && isRemover(word.text) && !forces(run.slice(i + 1))))
    yield { rule: 'find_delete', reason: `${name} ${args[at]?.text} removes whole trees without asking` };
  if (run[0]?.text === '{}' || run.some((word) => /\{\}./.test(word.text) && /\s/.test(word.text)))
    yield unreadable(`${name} builds a command from file names`);
}

export const REMOVAL: Record<string, CallRule> = {
  ...{ rm: rmRule, grm: rmRule, rimraf: rimrafRule },
  ...{ find: findRule, gfind: findRule, fd: findRule, fdfind: findRule },
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
