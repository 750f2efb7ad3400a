import { shownText } from '../candidate/lines.ts';
import { nameOf } from '../candidate/paths.ts';
import { innerCommand, QUIET, SHELLS } from '../candidate/wrappers.ts';
import { passingOption } from './options.ts';
import { alwaysEndsWell, type ShellOptions } from './scriptStatus.ts';

/** A script that has the same outcome as a command, with its file. */
export interface Behind {
  script: string;
  /** The script as the file has it. */
  text: string;
  /** `package.json:5` */
  from: string;
  cwd: string;
}

/** The text that a command of a repository runs; undefined where devflow does not know all of it. */
export type FindBehind = (argv: readonly string[], cwd: string) => Behind | undefined;

const MOST_DEPTH = 8;
/** Scripts that call scripts: more commands than a person would follow. */
const MOST_COMMANDS = 500;
const SHOWN_CHARACTERS = 60;

/**
 * The reason why a command ends with 0 whatever it checks. Undefined for one that can fail, and in doubt. Without
 * `findBehind` only its own words count.
 */
export function cannotFail(
  argv: readonly string[],
  findBehind: FindBehind = () => undefined,
  cwd = '.',
): string | undefined {
  return reasonOf(argv, cwd, { findBehind, left: MOST_COMMANDS }, 0);
}

interface Search {
  findBehind: FindBehind;
  left: number;
}

function reasonOf(argv: readonly string[], cwd: string, search: Search, depth: number): string | undefined {
  search.left -= 1;
  const [program = '', ...args] = innerCommand(argv);
  const name = nameOf(program);
  const byOption = passingOption(name, args);
  if (byOption !== undefined) return byOption;
  if (QUIET.has(program)) return `${program} checks nothing`;
  if (depth === MOST_DEPTH || search.left < 0) return undefined;
  let inner: string | undefined;
  const endsWell = (script: string, options: ShellOptions, at: string) =>
    alwaysEndsWell(script, options, (each) => {
      const why = reasonOf(each, at, search, depth + 1);
      inner ??= why;
      return why !== undefined;
    });
  const text = SHELLS.has(name) ? textOf(args) : undefined;
  if (text) return endsWell(text.script, text.options, cwd) ? (inner ?? whatever(text.script)) : undefined;
  const behind = search.findBehind([program, ...args], cwd);
  if (!behind || !endsWell(behind.script, optionsOf(args, name), behind.cwd)) return undefined;
  return inner?.endsWith(')') ? inner : `${inner ?? whatever(behind.text)} (${behind.from})`;
}

function whatever(script: string): string {
  return `"${shownText(script, SHOWN_CHARACTERS)}" ends with 0 whatever happens`;
}

/** The script of `sh -c script`, with the options of the shell. */
function textOf(args: readonly string[]): { script: string; options: ShellOptions } | undefined {
  const at = args.findIndex((arg, nth) => !/^[-+]/.test(arg) && !/^[-+][a-z]*o$/.test(args[nth - 1] ?? ''));
  const before = args.slice(0, at < 0 ? args.length : at);
  const script = args[at];
  const isText = before.some((arg) => /^-[a-z]*c/.test(arg));
  return isText && script !== undefined ? { script, options: shellOptions(before) } : undefined;
}

function optionsOf(args: readonly string[], name: string): ShellOptions {
  if (!SHELLS.has(name)) return {};
  const at = args.findIndex((arg) => !/^[-+]/.test(arg));
  return shellOptions(args.slice(0, at < 0 ? 0 : at));
}

function shellOptions(before: readonly string[]): ShellOptions {
  return {
    errexit: before.some((arg) => /^-[a-z]*e/.test(arg)) || before.includes('errexit'),
    pipefail: before.includes('pipefail'),
  };
}
