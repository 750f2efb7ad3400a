import { unreadable, type Word } from './finding.ts';
import type { Inner } from './inner.ts';
import { parseOptions } from './options.ts';
import { SHELLS } from './wrapperTable.ts';

const STDIN = /^(?:-|\/dev\/(?:stdin|fd\/0))$/;
const VALUED = ['-o', '-O', '--rcfile', '--init-file', '+o', '+O'];

/** `sh -c script`, `sh file`, `. file`, or a script from standard input. */
export function unwrapShell(program: string, args: Word[], input: string | null | undefined): Inner | undefined {
  if (!SHELLS.has(program) && program !== '.' && program !== 'source') return undefined;
  const { options, operands } = parseOptions(args, VALUED, true);
  const rest = operands.filter((word) => !/^\+[A-Za-z]/.test(word.text));
  if (options.some((option) => option.name === '-c' || option.name === '--command')) {
    const attached = options.find((option) => option.name === '--command')?.value;
    const script = attached ?? rest[0];
    if (script?.dynamic)
      return { own: 'all', refused: unreadable(`the script of ${program} -c is built while it runs`) };
    return { scripts: script ? [script.text] : [], own: attached ? rest : rest.slice(1) };
  }
  if (rest[0]?.text.startsWith('<('))
    return { own: 'all', refused: unreadable(`${program} reads a script that is made meanwhile`) };
  const file = rest.length > 0 && !STDIN.test(rest[0]?.text ?? '');
  if (file && !options.some((option) => option.name === '-s')) return { own: 'all' };
  if (typeof input === 'string') return { scripts: [input], own: 'all' };
  if (input === null) return { own: 'all', refused: unreadable(`${program} reads its script from a pipe`) };
  return { own: 'all' };
}

/** Builtins and programs that join their words to a script, here or on another host. */
export function unwrapEval(program: string, args: Word[]): Inner | undefined {
  switch (program) {
    case 'eval':
    case 'watch':
      return fromWords(program, parseOptions(args, ['-n', '--interval'], true).operands);
    case 'trap':
      return fromWords(program, parseOptions(args, [], true).operands.slice(0, 1));
    case 'alias':
      return fromWords(
        program,
        args.map((word) => ({ ...word, text: word.text.replace(/^[^=]*=?/, '; ') })),
      );
    case 'ssh': {
      const remote = parseOptions(args, SSH_VALUED, true).operands.slice(1);
      return { ...fromWords(program, remote), own: args.slice(0, args.length - remote.length) };
    }
    case 'su':
    case 'runuser':
    case 'script':
      return fromWords(
        program,
        parseOptions(args, ['-c', '--command', '-s', '-g', '-G'])
          .options.filter((option) => option.name === '-c' || option.name === '--command')
          .flatMap((option) => option.value ?? []),
      );
    default:
      return undefined;
  }
}

const SSH_VALUED = [...'BbcDEeFIiJLlmOopQRSWw'].map((letter) => `-${letter}`);

function fromWords(program: string, words: Word[]): Inner {
  if (words.some((word) => word.dynamic))
    return { own: 'all', refused: unreadable(`${program} is given words from variables`) };
  return { scripts: [words.map((word) => word.text).join(' ')], own: [] };
}
