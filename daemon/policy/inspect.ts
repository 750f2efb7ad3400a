import { type CallRule, type Command, type Inner, literal, type Word } from './call/call.ts';
import { unreadable, type Violation } from './call/violation.ts';
import { DOCKER } from './rules/docker.ts';
import { withoutMadeEnvFiles } from './rules/envFiles.ts';
import { gitRule } from './rules/git.ts';
import { MIGRATIONS } from './rules/migrations.ts';
import { REMOVAL } from './rules/removal.ts';
import { fileWords, isReader, secretsIn } from './rules/secrets.ts';
import { isDropStatement, SQL } from './rules/sql.ts';
import { readScript } from './shell/shell.ts';
import { markRoles, markTextOptions } from './unwrap/roles.ts';
import { RUNNERS } from './unwrap/runners.ts';

const RULES: Record<string, CallRule> = { ...REMOVAL, ...DOCKER, ...SQL, ...MIGRATIONS, ...RUNNERS };

/** The surroundings of a command. */
interface Scope {
  depth: number;
  /** It is in an argument that may be plain text. An unreadable script there is no violation. */
  text: boolean;
  /** The number of scripts that may still be read; shared by all parts of one command. */
  budget: { left: number };
  /** It may write `.env` files below its directory. */
  makesEnvFiles: boolean;
}

/** No real command nests deeper or has more scripts. */
const MAX_DEPTH = 12;
export const MAX_SCRIPTS = 2000;

/**
 * The violations of a command. Any word may be a program that the words before it wrap, so it checks every suffix. It also
 * checks every word that looks like a shell script. Roles mark words that are neither.
 */
export function* inspectCommand(command: Command, scope: Scope): Generator<Violation> {
  const words = command.words.map((word) => ({ ...word }));
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(word.text));
  const head = words[start];
  if (head && isUnknown(head)) yield unreadable('the program comes from a variable or a pattern');
  markTextOptions(words);
  let reads = false;
  for (const [i, word] of words.entries()) {
    if (word.role) continue;
    const args = words.slice(i + 1);
    for (const name of start >= 0 && i >= start ? programNames(word) : []) {
      if (i === start || isTrusted(words[i - 1])) markRoles(name, args, i === start);
      reads ||= isReader(name);
      const rule = name === 'git' || name.startsWith('git-') ? gitRule : Object.hasOwn(RULES, name) && RULES[name];
      if (rule) for (const found of rule({ name, args, input: command.input })) yield* follow(found, scope);
    }
    if (i !== start) for (const text of textsIn(word)) yield* inspectText(text, scope);
  }
  const [read, left] = scope.makesEnvFiles ? withoutMadeEnvFiles(command, words, start) : [command, words];
  yield* secretsOf(read, left, start, reads, scope);
}

function follow(found: Violation | Inner, scope: Scope): Iterable<Violation> {
  if ('rule' in found) return [found];
  if ('text' in found) return inspectText(found.text, scope);
  if ('code' in found) return inspectCode(found.code, scope);
  const inner = { ...scope, depth: scope.depth + 1 };
  if ('script' in found) return inspectScript(found.script, inner);
  return inner.depth > MAX_DEPTH ? [] : inspectCommand({ words: found.words, redirects: [] }, inner);
}

/** Checks every command of a shell script. */
function* inspectScript(source: string, scope: Scope): Generator<Violation> {
  scope.budget.left -= 1;
  if (scope.depth > MAX_DEPTH || scope.budget.left < 0) {
    yield unreadable('it is nested too deeply');
    return;
  }
  const { commands, texts, fault } = readScript(source);
  // Plain text that does not parse is no script. A script is checked as far as it parses.
  if (fault && scope.text) return;
  const inner = { ...scope, depth: scope.depth + 1 };
  for (const command of commands) yield* inspectCommand(command, inner);
  for (const text of texts) yield* inspectText(text, inner);
  if (fault) yield unreadable(`the shell script does not parse (${fault})`);
}

/** A text that may be a script: only destructive commands count, not unreadable parts. */
function* inspectText(text: string, scope: Scope): Generator<Violation> {
  if (!/[\s;&|`$(]/.test(text.trim()) || /^[a-z][a-z0-9+.-]*:\/\/\S*$/i.test(text)) return;
  if (isDropStatement(text)) yield { rule: 'sql_drop', reason: 'the SQL drops a database or schema' };
  const inner = { ...scope, depth: scope.depth + 1, text: true };
  for (const found of inspectScript(text.replace(/^[\s!+:]+/, ''), inner))
    if (found.rule !== 'shell_unreadable' || scope.budget.left < 0) yield found;
  yield* inspectCode(text, scope);
}

const CALLS =
  /\b(?:system|exec\w*|spawn\w*|popen|Popen|call|check_\w+|run|script|qx|\$)\s*[([{"'`]|\bgetline\b|\|\s*["']|^\s*`|=\s*`/;
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** Code of another language that starts programs: its string literals may be commands or scripts. */
function* inspectCode(code: string, scope: Scope): Generator<Violation> {
  const inner = { ...scope, depth: scope.depth + 1, text: true };
  if (!CALLS.test(code) || inner.depth > MAX_DEPTH) return;
  const literals = [...code.matchAll(LITERAL)].map((match) => literal(match[2] ?? ''));
  for (const found of inspectCommand({ words: [literal('run'), ...literals], redirects: [] }, inner))
    if (found.rule !== 'shell_unreadable') yield found;
}

/** Variables whose value a program runs. */
const PROGRAM_VARIABLE = /^(?:GIT_\w*|\w*(?:COMMAND|PAGER|EDITOR|VISUAL|SHELL|ASKPASS|BASH_ENV|PS4))$/;

/**
 * The parts of a word that may be a script. They are all of it, the value after `=`, and the value of a short option.
 */
function textsIn({ text }: Word): string[] {
  const variable = /^([A-Z_][A-Z0-9_]*)\+?=(.*)$/s.exec(text);
  if (variable) return PROGRAM_VARIABLE.test(variable[1] ?? '') ? [variable[2] ?? ''] : [];
  const equals = text.indexOf('=');
  return [text, ...(equals > 0 ? [text.slice(equals + 1)] : []), ...(/^-[A-Za-z]./.test(text) ? [text.slice(2)] : [])];
}

/** `/usr/bin/git`, `knex@3`, `alpine/git:2`, `pg:psql` and `knex.js` name the program at their end or start. */
function programNames({ text, dynamic }: Word): string[] {
  // `--entrypoint=rm` names a program whose arguments follow.
  const named = text.replace(/^--[\w-]+=/, '');
  const base = named.slice(named.lastIndexOf('/') + 1);
  if (/\s/.test(base) || (dynamic && /[$`]/.test(base))) return [];
  const whole = base.replace(/\.(?:exe|[cm]?[jt]s)$/i, '');
  return [...new Set([whole, whole.replace(/[\d.]+$/, ''), ...base.split(/[:@]/)])].filter((name) => name !== '');
}

function isUnknown(head: Word): boolean {
  const base = head.text.slice(head.text.lastIndexOf('/') + 1);
  return (head.dynamic && /[$`{<>(]/.test(base)) || /[*?]/.test(head.text);
}

/** After an option that takes a name, `echo` is that name, so its arguments still count. */
function isTrusted(before: Word | undefined): boolean {
  return !/^(?:--[a-z][\w-]*|-[ughln])$/.test(before?.text ?? '');
}

function* secretsOf(
  command: Command,
  words: Word[],
  start: number,
  reads: boolean,
  scope: Scope,
): Generator<Violation> {
  // A file name in plain text is no access to the file.
  if (scope.text && !reads) return;
  yield* secretsIn(command.redirects, true);
  const assignments = words.slice(0, start < 0 ? undefined : start);
  yield* secretsIn(
    assignments.map((word) => ({ ...word, text: word.text.replace(/^[^=]*=/, '') })),
    false,
  );
  if (start >= 0) yield* secretsIn(fileWords(words.slice(start + 1)), reads);
}
