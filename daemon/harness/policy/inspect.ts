import { type CallRule, type Command, type Inner, literal, type Word } from './call/call.ts';
import { unreadable, type Violation } from './call/violation.ts';
import { DOCKER } from './rules/docker.ts';
import { gitRule } from './rules/git.ts';
import { MIGRATIONS } from './rules/migrations.ts';
import { REMOVAL } from './rules/removal.ts';
import { fileWords, isReader, secretsIn } from './rules/secrets.ts';
import { isDropStatement, SQL } from './rules/sql.ts';
import { readScript } from './shell/shell.ts';
import { markRoles, markTextOptions } from './unwrap/roles.ts';
import { RUNNERS } from './unwrap/runners.ts';

const RULES: Record<string, CallRule> = { ...REMOVAL, ...DOCKER, ...SQL, ...MIGRATIONS, ...RUNNERS };

/** Where a command was found. */
interface Scope {
  depth: number;
  /** It stands in an argument that may be mere text: what cannot be read there proves nothing. */
  text: boolean;
  /** Scripts that may still be read, shared by all that is found in one command. */
  budget: { left: number };
}

/** Scripts within scripts beyond these are nobody's honest work. */
const MAX_DEPTH = 12;
export const MAX_SCRIPTS = 2000;

/**
 * The rules that a command breaks. Each of its words may be the program that the others wrap, so every suffix of it is
 * judged; and every word that reads as a shell script is judged as one. Roles say which words are neither.
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
  yield* secretsOf(command, words, start, reads, scope);
}

function follow(found: Violation | Inner, scope: Scope): Iterable<Violation> {
  if ('rule' in found) return [found];
  if ('text' in found) return inspectText(found.text, scope);
  if ('code' in found) return inspectCode(found.code, scope);
  const inner = { ...scope, depth: scope.depth + 1 };
  if ('script' in found) return inspectScript(found.script, inner);
  return inner.depth > MAX_DEPTH ? [] : inspectCommand({ words: found.words, redirects: [] }, inner);
}

/** A shell script, whose every command is judged. */
function* inspectScript(source: string, scope: Scope): Generator<Violation> {
  scope.budget.left -= 1;
  if (scope.depth > MAX_DEPTH || scope.budget.left < 0) {
    yield unreadable('it is nested too deeply');
    return;
  }
  const { commands, texts, fault } = readScript(source);
  // A text that no shell can read is no script; the script of a shell is judged as far as it can be read.
  if (fault && scope.text) return;
  const inner = { ...scope, depth: scope.depth + 1 };
  for (const command of commands) yield* inspectCommand(command, inner);
  for (const text of texts) yield* inspectText(text, inner);
  if (fault) yield unreadable(`the shell script cannot be read for certain (${fault})`);
}

/** A text that is not known to be a script: only what certainly destroys counts, not what cannot be read. */
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

/** Code of another language that starts programs: its literals are their words or their scripts. */
function* inspectCode(code: string, scope: Scope): Generator<Violation> {
  const inner = { ...scope, depth: scope.depth + 1, text: true };
  if (!CALLS.test(code) || inner.depth > MAX_DEPTH) return;
  const literals = [...code.matchAll(LITERAL)].map((match) => literal(match[2] ?? ''));
  for (const found of inspectCommand({ words: [literal('run'), ...literals], redirects: [] }, inner))
    if (found.rule !== 'shell_unreadable') yield found;
}

/** Variables whose value a program runs. */
const PROGRAM_VARIABLE = /^(?:GIT_\w*|\w*(?:COMMAND|PAGER|EDITOR|VISUAL|SHELL|ASKPASS|BASH_ENV|PS4))$/;

/** What of a word may be a script: all of it, the value after `=`, and what is attached to a short option. */
function textsIn({ text }: Word): string[] {
  const variable = /^([A-Z_][A-Z0-9_]*)\+?=(.*)$/s.exec(text);
  if (variable) return PROGRAM_VARIABLE.test(variable[1] ?? '') ? [variable[2] ?? ''] : [];
  const equals = text.indexOf('=');
  return [text, ...(equals > 0 ? [text.slice(equals + 1)] : []), ...(/^-[A-Za-z]./.test(text) ? [text.slice(2)] : [])];
}

/** `/usr/bin/git`, `knex@3`, `alpine/git:2`, `pg:psql` and `knex.js` all name the program they end or begin with. */
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

/** After an option that takes a name, `echo` is a name and hides nothing. */
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
  // In prose the name of a file is no access to it.
  if (scope.text && !reads) return;
  yield* secretsIn(command.redirects, true);
  const assignments = words.slice(0, start < 0 ? undefined : start);
  yield* secretsIn(
    assignments.map((word) => ({ ...word, text: word.text.replace(/^[^=]*=/, '') })),
    false,
  );
  if (start >= 0) yield* secretsIn(fileWords(words.slice(start + 1)), reads);
}
