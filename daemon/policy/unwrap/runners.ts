import { type Call, type CallRule, type Inner, literal, type Word } from '../call/call.ts';
import { parseOptions } from '../call/options.ts';
import { unreadable, type Violation } from '../call/violation.ts';
import { forces, isRemover } from '../rules/removal.ts';

/**
 * Programs that run a script from an argument, or get their arguments from an unreadable source. Programs that run their
 * other arguments need no rule: every suffix of a command is checked.
 */
export const RUNNERS: Record<string, CallRule> = {
  ...table(
    [
      ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh', 'yash', 'nu', 'elvish'],
      ...['xonsh', 'pwsh', 'powershell', '.', 'source'],
    ],
    shellRule,
  ),
  ...table(['eval', 'watch', 'ssh', 'mosh'], joinedRule),
  ...table(['trap', 'su', 'runuser', 'script'], scriptArgumentRule),
  ...table(['xargs', 'gxargs', 'parallel'], xargsRule),
  ...table(
    ['sudo', 'doas', 'env', 'nohup', 'setsid', 'command', 'builtin', 'exec', 'time', 'stdbuf', 'busybox', 'nice'],
    wrapperRule,
  ),
  ...table(
    ['node', 'nodejs', 'deno', 'bun', 'tsx', 'python', 'pypy', 'ruby', 'perl', 'php', 'lua', 'Rscript'],
    codeRule,
  ),
  ...table(['awk', 'gawk', 'mawk', 'nawk', 'sed', 'gsed'], codeRule),
};

function table(names: readonly string[], rule: CallRule): Record<string, CallRule> {
  return Object.fromEntries(names.map((name) => [name, rule]));
}

/** Code of another language as an argument, marked by a role or after an option. */
function* codeRule({ name, args }: Call): Generator<Inner> {
  for (const [i, word] of args.entries()) {
    const before = args[i - 1]?.text ?? '';
    const isCode = word.role === 'text' || /^(?:-[A-Za-z]*[ecrpE]|--eval|--print|--run)$/.test(before);
    if (!isCode) continue;
    word.role = 'text';
    yield { code: word.text };
    // `1e command` and `s/x/command/e` of sed.
    if (/sed$/.test(name)) {
      const command = /(?:^|[;{\n\d$])\s*e\s+([^\n]+)/.exec(word.text)?.[1];
      const replacement = /s(.)(?:(?!\1).)*\1((?:(?!\1).)*)\1[a-zA-Z]*e/s.exec(word.text)?.[2];
      for (const script of [command, replacement]) if (script) yield { text: script };
    }
  }
}

const STDIN = /^(?:-|\/dev\/(?:stdin|fd\/0))$/;
const SCRIPT_OPTION = /^(?:-[A-Za-z]*[cC]|--(?:command|commands|init-command|Command))(?:=|$)/;
const SHELL_VALUED = ['-o', '-O', '--rcfile', '--init-file', '+o', '+O'];

/** `sh -c script`, `sh file`, `. file`, or a script from standard input. */
function* shellRule({ name, args, input }: Call): Generator<Violation | Inner> {
  const sourced = name === '.' || name === 'source';
  const at = sourced ? -1 : args.findIndex((word) => SCRIPT_OPTION.test(word.text) || !/^[-+]/.test(word.text));
  const { options, operands } = parseOptions(args, SHELL_VALUED, true);
  const rest = operands.filter((word) => !/^\+[A-Za-z]/.test(word.text));
  const takesScript =
    options.some(({ name: option }) => SCRIPT_OPTION.test(option)) || SCRIPT_OPTION.test(args[at]?.text ?? '');
  if (takesScript && !sourced) {
    const attached = options.find((option) => option.value && option.name.startsWith('--'))?.value;
    const script = attached ?? rest[0];
    if (script?.dynamic) yield unreadable(`the script of ${name} -c is built at run time`);
    else if (script) yield { script: script.text };
    // The script is checked as a script. The words after it are its parameters.
    for (const word of args) if (!rest.slice(1).includes(word)) word.role ??= 'text';
    for (const word of rest) word.role ??= 'name';
    return;
  }
  if (rest[0]?.text.startsWith('<(')) yield unreadable(`${name} reads a script from a process substitution`);
  const file = rest.length > 0 && !STDIN.test(rest[0]?.text ?? '') && !options.some((option) => option.name === '-s');
  if (file) return;
  if (typeof input === 'string') yield { script: input };
  else if (input === null) yield unreadable(`${name} reads its script from a pipe`);
}

const SSH_VALUED = [...'BbcDEeFIiJLlmOopQRSWw'].map((letter) => `-${letter}`);

/** Programs that join their arguments to one script, here or on another host. */
function* joinedRule({ name, args }: Call): Generator<Violation | Inner> {
  const remote = name === 'ssh' || name === 'mosh';
  const words = parseOptions(args, remote ? SSH_VALUED : ['-n', '--interval'], true).operands.slice(remote ? 1 : 0);
  if (words.some((word) => word.dynamic)) yield unreadable(`${name} gets arguments from variables`);
  else yield { script: words.map((word) => word.text).join(' ') };
}

/** `trap script SIGNAL`, `su -c script`. A known script is checked like any argument. */
function* scriptArgumentRule({ name, args }: Call): Generator<Violation> {
  const at = name === 'trap' ? 0 : args.findIndex((word) => /^(?:-c|--command)$/.test(word.text)) + 1;
  if ((name === 'trap' || at > 0) && args[at]?.dynamic) yield unreadable(`${name} gets arguments from variables`);
}

/** A program from a variable. After an option the word may be its value, so it is allowed. */
function* wrapperRule({ name, args }: Call): Generator<Violation> {
  const at = args.findIndex((word) => !/^-|^[A-Za-z_]\w*=/.test(word.text));
  const word = args[at];
  const before = args[at - 1]?.text ?? '';
  if (word?.dynamic && word.leading && !/^-[^-]|^--./.test(before))
    yield unreadable(`${name} takes the program from a variable`);
}

const XARGS_VALUED = [
  ...['-a', '-d', '-E', '-I', '-J', '-L', '-n', '-N', '-P', '-R', '-s', '-j', '--jobs', '--arg-file', '--delimiter'],
  ...['--max-lines', '--max-args', '--max-procs', '--max-chars', '--replace', '--delay', '--timeout'],
];
const OPEN_ENDED = /^(?:.*\/)?(?:git|sh|bash|zsh|dash|env|sudo|eval|docker)$/;

/** xargs adds words from its input. Known words are checked with the command; an unknown program is refused. */
function* xargsRule({ name, args, input }: Call): Generator<Violation | Inner> {
  const words = parseOptions(args, XARGS_VALUED, true).operands;
  const own = args.slice(0, args.length - words.length);
  const first = words[0]?.text ?? '';
  const marks = own.flatMap(({ text }, i) => {
    const attached = /^(?:-I|-i|--replace=)(.+)$/.exec(text)?.[1];
    return text === '-I' || text === '-J' ? [own[i + 1]?.text ?? '{}'] : attached ? [attached] : [];
  });
  const inScript = ({ text }: Word) => marks.some((mark) => text !== mark && text.includes(mark) && /\s/.test(text));
  if (words.some(inScript)) yield unreadable(`${name} builds a script from its input`);
  if (marks.includes(first) || words[0]?.dynamic) yield unreadable(`${name} takes the program from its input`);
  const read = (input ?? '').split(/\s+/).filter((text) => text !== '');
  if (read.length > 0) yield { words: [...words, ...read.map(literal)] };
  else if (words.length === 1 && OPEN_ENDED.test(first)) yield unreadable(`${name} takes the command from its input`);
  else if (isRemover(first) && !forces(words.slice(1)) && !words.some((word) => word.text.startsWith(':::')))
    yield { rule: 'find_delete', reason: `${name} ${first} deletes all files that its input names` };
}
