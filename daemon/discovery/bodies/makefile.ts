import { linesOf } from '../candidate/lines.ts';

/** A rule of a Makefile. */
export interface MakeRule {
  path: string;
  line: number;
  targets: string[];
  needs: string[];
  recipe: string[];
}

/** A Makefile with all that it includes. */
export interface Makefile {
  rules: MakeRule[];
  variables: Map<string, string>;
  /** Commands that run while make reads it. */
  atRead: { path: string; line: number; text: string }[];
  /** Lines that are too long to read. */
  unread: string[];
  /** Files that it includes, as written there. */
  includes: string[];
  /** The program that runs the recipes, if the file names one. */
  shell: { path: string; line: number; name: string } | undefined;
}

const MOST_LINE = 4000;
const MOST_EXPANDED = 16_000;
const MOST_ROUNDS = 10;
const ASSIGNMENT = /^(?:export\s+|override\s+)*([\w.-]+)\s*(\?=|\+=|!=|::?:?=|=)\s*(.*)$/;

export function emptyMakefile(): Makefile {
  const variables = new Map([
    ['MAKE', 'make'],
    ['RM', 'rm -f'],
    ['CURDIR', '.'],
    ['SHELL', 'sh'],
  ]);
  return { rules: [], variables, atRead: [], unread: [], includes: [], shell: undefined };
}

/** Adds the rules and assignments of a text. Conditions are not evaluated: what any branch says counts. */
export function readMakefile(makefile: Makefile, path: string, text: string): void {
  let current: MakeRule | undefined;
  for (const { line, words } of joinedLines(text)) {
    if (words.length > MOST_LINE) {
      makefile.unread.push(`${path}:${line}`);
      continue;
    }
    if (words.startsWith('\t')) {
      current?.recipe.push(words.slice(1));
      continue;
    }
    const plain = words.replace(/(^|\s)#.*$/, '$1').trim();
    if (plain === '') continue;
    noteShellCalls(makefile, path, line, plain);
    const assigned = ASSIGNMENT.exec(plain);
    if (assigned) assign(makefile, path, line, assigned);
    else if (/^(?:-|s)?include\s/.test(plain)) makefile.includes.push(...expand(plain, makefile).split(/\s+/).slice(1));
    else if (!/^(?:ifn?eq|ifn?def|else|endif|define|endef|export|unexport|vpath|override|undefine)\b/.test(plain)) {
      current = ruleOf(makefile, path, line, words);
      if (current) makefile.rules.push(current);
    }
  }
}

function assign(makefile: Makefile, path: string, line: number, [, name = '', how, value = '']: RegExpExecArray): void {
  const { variables } = makefile;
  if (name === 'SHELL') makefile.shell ??= { path, line, name: value };
  if (how === '!=') makefile.atRead.push({ path, line, text: expand(value, makefile) });
  else if (how === '+=') variables.set(name, `${variables.get(name) ?? ''} ${value}`.trim());
  else if (how !== '?=' || !variables.has(name)) variables.set(name, value);
}

function ruleOf(makefile: Makefile, path: string, line: number, words: string): MakeRule | undefined {
  const [head = '', ...inline] = words.split(';');
  const expanded = expand(head.replace(/(^|\s)#.*$/, '$1'), makefile);
  const at = expanded.indexOf(':');
  if (at < 0) return undefined;
  // `targets: pattern: needs` has two colons, `target:: needs` a double one.
  const after = expanded.slice(at + 1).replace(/^:/, '');
  const needs = after.slice(after.lastIndexOf(':') + 1);
  return {
    path,
    line,
    targets: listOf(expanded.slice(0, at)),
    needs: listOf(needs.replaceAll('|', ' ')),
    recipe: inline.length > 0 ? [inline.join(';').trim()] : [],
  };
}

/** `$(shell …)` runs where it is expanded. */
function noteShellCalls({ atRead }: Makefile, path: string, line: number, text: string): void {
  for (const [, call = ''] of text.matchAll(/\$[({]shell\s+((?:[^()]|\([^()]*\))*)[)}]/g)) {
    atRead.push({ path, line, text: call.replaceAll('$$', '$') });
  }
}

/** The commands of a rule. */
export function recipeOf(rule: MakeRule, target: string, makefile: Makefile): string {
  return recipeLines(rule, target, makefile)
    .map(({ text }) => text)
    .join('\n');
}

/** `@`, `-` and `+` at the beginning of a line are for make. With `-` it ignores that the line fails. */
export function recipeLines(
  rule: MakeRule,
  target: string,
  makefile: Makefile,
): { text: string; isIgnored: boolean }[] {
  const variables = new Map([...makefile.variables, ['@', target], ['<', rule.needs[0] ?? ''], ['^', '']]);
  return rule.recipe.map((line) => {
    const [marks = ''] = /^[@+-]*/.exec(line.trim()) ?? [];
    return { text: expand(line.trim().slice(marks.length).trimStart(), { variables }), isIgnored: marks.includes('-') };
  });
}

/** With the plain variables in place. Functions of make stay as they are. `$$` becomes `$`. */
export function expand(text: string, { variables }: Pick<Makefile, 'variables'>): string {
  let found = text.replaceAll('$$', '\0');
  for (let round = 0; round < MOST_ROUNDS && found.length < MOST_EXPANDED; round += 1) {
    let left = MOST_EXPANDED;
    const next = found.replaceAll(/\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|([\w@<^]))/g, (whole, ...names) => {
      const name = names.slice(0, 3).find((each) => each !== undefined);
      const value = variables.get(String(name))?.replaceAll('$$', '\0') ?? whole;
      left -= value.length;
      return left < 0 ? whole : value;
    });
    if (next === found) break;
    found = next;
  }
  return found.slice(0, MOST_EXPANDED).replaceAll('\0', '$');
}

function listOf(text: string): string[] {
  return text.split(/\s+/).filter((each) => each !== '');
}

/** Lines with those that `\` continues. In a recipe make leaves the break to the shell. */
function joinedLines(text: string): { line: number; words: string }[] {
  const found: { line: number; words: string }[] = [];
  let isContinued = false;
  for (const [at, line] of linesOf(text).entries()) {
    const last = found.at(-1);
    const ends = line.endsWith('\\');
    const words = ends ? line.slice(0, -1) : line;
    if (isContinued && last) last.words += ` ${words.trimStart()}`;
    else found.push({ line: at + 1, words });
    isContinued = ends;
  }
  return found;
}
