import { inDirectory, nameOf, stepInto } from '../candidate/paths.ts';
import { SHELLS } from '../candidate/wrappers.ts';
import type { Behind } from '../cannotFail/cannotFail.ts';
import {
  emptyMakefile,
  expand,
  type Makefile,
  type MakeRule,
  readMakefile,
  recipeLines,
  recipeOf,
} from './makefile.ts';
import type { Body, CommandOrigin, Walk } from './walk.ts';

const NAMES = ['GNUmakefile', 'makefile', 'Makefile'];
const MOST_FILES = 30;
const MOST_TARGETS = 200;
const CHARACTERS_AN_EFFORT = 2048;

/** The recipes that a call of make runs, and the directory of each. */
export function makeRecipes(walk: Walk, args: readonly string[], origin: CommandOrigin): [Body, string][] {
  const call = openCall(walk, args, origin);
  if (!call) return [];
  const { makefile, cwd, wanted } = call;
  for (const each of makefile.unread) walk.skip(each);
  refuseShell(walk, makefile);
  const bodies = [...makefile.atRead, ...recipesFor(walk, makefile, wanted)];
  return bodies.map((body) => [body, cwd]);
}

/** A shell script that fails when this call of make fails; undefined where a rule is not known. */
export function makeScript(walk: Walk, args: readonly string[], origin: CommandOrigin): Behind | undefined {
  const call = openCall(walk, args, origin);
  if (!call) return undefined;
  const { makefile, cwd, wanted } = call;
  const rules = rulesFor(walk, makefile, wanted);
  const isKnown = ({ target, rules: own }: Reached) =>
    own.length > 0 || walk.commit.paths.has(stepInto(cwd, target) ?? '');
  // With flags of its own the shell may stop where another would not.
  const isPlain = makefile.unread.length === 0 && !makefile.variables.has('.SHELLFLAGS');
  if (!isPlain || !rules.every(isKnown)) return undefined;
  const lines = rules.flatMap(({ target, rules: own }) => own.flatMap((rule) => recipeLines(rule, target, makefile)));
  const first = rules[0]?.rules[0];
  if (lines.length === 0 || !first) return undefined;
  const shell = lines.map(({ text, isIgnored }) => `(\n${text}\n)${isIgnored ? ' || true' : ''}`);
  const text = lines.map((each) => `${each.isIgnored ? '-' : ''}${each.text}`).join('; ');
  return { script: ['set -e', ...shell].join('\n'), text, from: `${first.path}:${first.line}`, cwd };
}

/** The Makefile of a call, and what the call wants of it; undefined if there is none. */
function openCall(walk: Walk, args: readonly string[], { cwd: from }: CommandOrigin) {
  const { cwd, file, goals, variables } = readCall(args, from);
  if (cwd === undefined) {
    walk.skip(`make ${args.join(' ')}`);
    return undefined;
  }
  const path = file ?? NAMES.map((name) => inDirectory(cwd, name)).find((each) => walk.commit.paths.has(each));
  const makefile = path === undefined ? undefined : readAll(walk, path, cwd, variables);
  return makefile && { makefile, cwd, wanted: goals.length > 0 ? goals : [defaultGoal(makefile)] };
}

interface Call {
  /** Undefined outside of the repository. */
  cwd: string | undefined;
  file: string | undefined;
  goals: string[];
  variables: [string, string][];
}

function readCall(args: readonly string[], from: string): Call {
  let cwd: string | undefined = from;
  let name: string | undefined;
  const goals: string[] = [];
  const variables: [string, string][] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [, option, joined] = /^(-[CfIjlo]|--(?:directory|file|makefile)(?==|$))=?(.*)$/.exec(arg) ?? [];
    const assigned = /^([\w.-]+)[:?+]?=(.*)$/s.exec(arg);
    if (option !== undefined) {
      const isBareJobs = /^-[jl]$/.test(option) && joined === '';
      const value = joined || (isBareJobs ? '' : (args[++at] ?? ''));
      if (option === '-C' || option === '--directory') cwd = cwd === undefined ? undefined : stepInto(cwd, value);
      else if (/^(?:-f|--file|--makefile)$/.test(option)) name = value;
    } else if (assigned) variables.push([assigned[1] ?? '', assigned[2] ?? '']);
    else if (!arg.startsWith('-')) goals.push(arg);
  }
  const file = name === undefined || cwd === undefined ? undefined : stepInto(cwd, name);
  return { cwd, file, goals, variables };
}

/** Included files are named from the directory of the call. */
function readAll(walk: Walk, path: string, cwd: string, given: readonly [string, string][]): Makefile | undefined {
  const makefile = emptyMakefile();
  const read = new Set<string>();
  for (let next: string | undefined = path; next !== undefined; ) {
    read.add(next);
    const text = walk.text(next);
    // Each call reads them anew, because its variables count.
    if (text !== undefined && !walk.spend(Math.ceil(text.length / CHARACTERS_AN_EFFORT))) break;
    if (text !== undefined) readMakefile(makefile, next, text);
    for (const [name, value] of given) makefile.variables.set(name, value);
    const included = makefile.includes.map((each) => stepInto(cwd, each) ?? '');
    next = read.size < MOST_FILES ? included.find((each) => each !== '' && !read.has(each)) : undefined;
  }
  for (const each of makefile.includes) {
    const at = stepInto(cwd, each);
    if (at === undefined || !walk.commit.paths.has(at)) walk.skip(each);
  }
  return makefile;
}

function refuseShell(walk: Walk, { shell, variables }: Makefile): void {
  if (!shell) return;
  const words = expand(shell.name, { variables }).split(/\s+/);
  const name = nameOf(words.find((word) => nameOf(word) !== 'env') ?? '');
  const isInRepository = words.some((word) => word.includes('/') && !word.startsWith('/'));
  if (SHELLS.has(name) && !isInRepository) return;
  walk.refuse(`${shell.path}:${shell.line} sets SHELL, so the repository chooses a program`);
}

function defaultGoal({ rules, variables }: Makefile): string {
  const named = variables.get('.DEFAULT_GOAL');
  const isGoal = (target: string) => !target.startsWith('.') && !target.includes('%');
  return named ?? rules.flatMap(({ targets }) => targets).find(isGoal) ?? '';
}

/** A target that make comes to, and its rules. */
interface Reached {
  target: string;
  rules: MakeRule[];
}

/** The targets and all that they need. */
function rulesFor(walk: Walk, makefile: Makefile, goals: readonly string[]): Reached[] {
  const found: Reached[] = [];
  const done = new Set<string>();
  const open = [...goals];
  for (let target = open.shift(); target !== undefined && done.size < MOST_TARGETS; target = open.shift()) {
    if (done.has(target)) continue;
    done.add(target);
    const rules = rulesOf(makefile, target);
    open.push(...rules.flatMap(({ needs }) => needs));
    found.push({ target, rules });
  }
  if (open.length > 0) walk.skip(`${open.length} more targets of make`);
  return found;
}

function recipesFor(walk: Walk, makefile: Makefile, goals: readonly string[]): Body[] {
  return rulesFor(walk, makefile, goals).flatMap(({ target, rules }) =>
    rules.flatMap((rule) => {
      const text = recipeOf(rule, target, makefile);
      return text.trim() === '' ? [] : [{ path: rule.path, line: rule.line, text }];
    }),
  );
}

/** The rules with exactly that name. Patterns count only if none of these has a recipe. */
function rulesOf({ rules }: Makefile, target: string): MakeRule[] {
  const named = rules.filter(({ targets }) => targets.includes(target));
  if (named.some(({ recipe }) => recipe.length > 0)) return named;
  return [...named, ...rules.filter(({ targets }) => targets.some((each) => fits(each, target)))];
}

function fits(pattern: string, target: string): boolean {
  const at = pattern.indexOf('%');
  if (at < 0) return false;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  return target.length > before.length + after.length && target.startsWith(before) && target.endsWith(after);
}
