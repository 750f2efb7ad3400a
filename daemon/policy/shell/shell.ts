import {
  type Assignment,
  forEachChild,
  type PipelineNode,
  parse,
  type Redirection,
  type Command as ShellCommand,
  type Word as ShellWord,
  type SyntaxNode,
  type WordPart,
} from 'unbash';
import { type Command, literal, type Word } from '../call/call.ts';

/** All commands of a script, flattened: from every branch, loop, function, subshell and substitution. */
export interface Script {
  commands: Command[];
  /** Two words in an arithmetic expansion: a mistake in bash, a command in zsh. */
  texts: string[];
  /** The reason why the script does not parse. */
  fault?: string;
}

/** Reads a POSIX or bash script. Scripts of other shells are read as far as their syntax is the same. */
export function readScript(source: string): Script {
  const script: Script = { commands: [], texts: [] };
  visit(parse(source), undefined, script);
  return script;
}

function visit(node: SyntaxNode, input: string | null | undefined, script: Script): void {
  let within = input;
  switch (node.type) {
    case 'Script':
      script.fault ??= node.errors?.[0]?.message;
      break;
    case 'Command':
      script.commands.push(commandOf(node, input));
      within = undefined;
      break;
    case 'Redirected':
      script.commands.push({ words: [], redirects: targets(node.redirects) });
      within = given(node.redirects) ?? input;
      break;
    case 'For':
    case 'Select':
      // The head of a loop runs nothing, but its words may name files.
      script.commands.push({ words: [literal('for'), ...(node.wordlist ?? []).map(wordOf)], redirects: [] });
      break;
    case 'Pipeline': {
      let piped = input;
      for (const command of node.commands) {
        visit(command, piped, script);
        piped = produced(command, piped);
      }
      return;
    }
    case 'ArithmeticWord':
      if (/\s/.test(node.value)) script.texts.push(node.value);
      break;
  }
  forEachChild(node, (child) => visit(child, within, script));
}

function commandOf(node: ShellCommand, piped: string | null | undefined): Command {
  const assignments = node.prefix.filter((part) => part.type === 'Assignment').map(assignmentOf);
  const args = node.args.map((part) => (part.type === 'Assignment' ? assignmentOf(part) : wordOf(part)));
  const input = given(node.redirects);
  return {
    words: [...assignments, ...(node.name ? [wordOf(node.name)] : []), ...args],
    redirects: targets(node.redirects),
    input: input === undefined ? piped : input,
  };
}

function wordOf(word: ShellWord): Word {
  const parts = word.parts ?? [];
  const first = parts.find((part) => part.text !== "''" && part.text !== '""');
  return {
    text: word.value,
    dynamic: parts.some(expands),
    leading:
      first !== undefined && ('parts' in first && isQuoted(first) ? first.parts : [first]).slice(0, 1).some(expands),
  };
}

function assignmentOf({ name, value, append }: Assignment): Word {
  const word = value.type === 'Word' ? wordOf(value) : undefined;
  const text =
    word?.text ?? (value.type === 'ArrayValue' ? value.elements.map((element) => element.value).join(' ') : '');
  return { text: `${name}${append ? '+' : ''}=${text}`, dynamic: word?.dynamic ?? true, leading: false };
}

function isQuoted(part: WordPart): part is Extract<WordPart, { type: 'DoubleQuoted' | 'LocaleString' }> {
  return part.type === 'DoubleQuoted' || part.type === 'LocaleString';
}

const EXPANSIONS: ReadonlySet<WordPart['type']> = new Set([
  ...(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion', 'ArithmeticExpansion'] as const),
  ...(['ProcessSubstitution', 'BraceExpansion', 'ExtendedGlob'] as const),
]);

/** True if a shell substitutes this part. */
export function expands(part: WordPart): boolean {
  return EXPANSIONS.has(part.type) || (isQuoted(part) && part.parts.some(expands));
}

/** Not `<>`, which also reads. */
const OUTPUTS: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>']);

function targets(redirects: readonly Redirection[]): Word[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== 'Redirect' || !redirect.target) return [];
    const word = wordOf(redirect.target);
    return OUTPUTS.has(redirect.operator) ? [{ ...word, isOutput: true }] : [word];
  });
}

/** Standard input from redirections: text of the script, or null. */
function given(redirects: readonly Redirection[]): string | null | undefined {
  let input: string | null | undefined;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') input = redirect.body.parts?.some(expands) ? null : redirect.body.text;
    else if (redirect.type === 'HereString' && redirect.target) {
      const word = wordOf(redirect.target);
      input = word.dynamic ? null : word.text;
    }
  }
  return input;
}

/** The input of the next command in a pipe. Known after `echo` and `printf` with plain words, and after `cat` alone. */
function produced(node: PipelineNode, input: string | null | undefined): string | null {
  if (node.type !== 'Command') return null;
  const { words, input: read } = commandOf(node, input);
  const [first, ...rest] = words;
  const name = first?.text.replace(/^.*\//, '');
  if (name === 'cat' && rest.length === 0) return read ?? null;
  if ((name !== 'echo' && name !== 'printf') || rest.some((word) => word.dynamic)) return null;
  const text = rest.map((word) => word.text).join(' ');
  return name === 'echo' ? text.replace(/^(?:-[neE]+ )+/, '') : text.replaceAll('\\n', '\n');
}
