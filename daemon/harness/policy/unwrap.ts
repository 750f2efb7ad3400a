import { type Command, literal, unreadable, type Word } from './finding.ts';
import type { Inner } from './inner.ts';
import { unwrapContainer } from './unwrapContainer.ts';
import { unwrapPackageManager } from './unwrapPackages.ts';
import { unwrapEval, unwrapShell } from './unwrapShell.ts';
import { WRAPPERS, type Wrapper } from './wrapperTable.ts';

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Splits `A=1 B=2 cmd` into the assignments and the rest. */
export function splitAssignments(words: readonly Word[]): { assignments: Word[]; rest: Word[] } {
  const count = words.findIndex((word) => !ASSIGNMENT.test(word.text));
  const at = count < 0 ? words.length : count;
  return { assignments: words.slice(0, at), rest: words.slice(at) };
}

/** The commands and scripts that `program` (a base name) would run, given its arguments. */
export function unwrap(program: string, args: Word[], command: Command): Inner {
  const wrapper = WRAPPERS[program];
  if (wrapper) return unwrapTable(program, wrapper, args, command.input);
  return (
    unwrapShell(program, args, command.input) ??
    unwrapEval(program, args) ??
    unwrapPackageManager(program, args) ??
    unwrapContainer(program, args) ??
    unwrapFind(program, args) ?? { own: 'all' }
  );
}

function unwrapTable(program: string, wrapper: Wrapper, args: Word[], input: string | null | undefined): Inner {
  const at = startOfCommand(wrapper, args);
  if (wrapper.verb !== undefined) {
    if (args.find((word) => !word.text.startsWith('-'))?.text !== wrapper.verb) return { own: 'all' };
    const rest = args.slice(args.findIndex((word) => word.text === wrapper.verb) + 1);
    return {
      commands: [{ words: rest.slice(startOfCommand({ ...wrapper, verb: undefined }, rest)), redirects: [] }],
      own: [],
    };
  }
  const own = args.slice(0, at);
  const words = args.slice(at);
  if (program === 'env') {
    const split = splitString(args);
    if (split) return { scripts: [split], own };
  }
  const last = own.at(-1);
  if (program === 'flock' && words[0]?.text === '-c') return { scripts: [words[1]?.text ?? ''], own };
  if (last?.dynamic && words.length > 0 && last.leading)
    return { own: 'all', refused: unreadable(`${program} has an option from a variable`) };
  if (program !== 'xargs' && program !== 'parallel') return { commands: [{ words, redirects: [], input }], own };
  return unwrapXargs(own, words, input);
}

function startOfCommand(wrapper: Wrapper, args: readonly Word[]): number {
  const valued = wrapper.valued ?? [];
  let operands = wrapper.operands ?? 0;
  let i = 0;
  for (; i < args.length; i++) {
    const { text } = args[i] as Word;
    if (text === '--') continue;
    if (text.startsWith('-') && text.length > 1) {
      // `-k 5` takes the next word, `-k5` and `--kill-after=5` have theirs; of a cluster only the last letter may.
      if (valued.includes(text) || (/^-[A-Za-z]{2,}$/.test(text) && takesNext(text, valued))) i += 1;
    } else if (ASSIGNMENT.test(text)) {
      // env, sudo and doas take assignments; no program has such a name, so skipping them elsewhere hides nothing.
    } else if (operands-- <= 0) break;
  }
  return i;
}

function takesNext(cluster: string, valued: readonly string[]): boolean {
  const first = [...cluster].findIndex((letter, at) => at > 0 && valued.includes(`-${letter}`));
  return first === cluster.length - 1;
}

/** `env -S 'cmd args'`, which env splits much like a shell does. */
function splitString(args: readonly Word[]): string | undefined {
  for (const [i, { text }] of args.entries()) {
    if (/^-[iv0]*S$/.test(text) || text === '--split-string')
      return args
        .slice(i + 1)
        .map((word) => word.text)
        .join(' ');
    const attached = /^(?:-[iv0]*S|--split-string=)(.+)$/s.exec(text);
    if (attached) return [attached[1], ...args.slice(i + 1).map((word) => word.text)].join(' ');
    if (!text.startsWith('-') && !ASSIGNMENT.test(text)) return undefined;
  }
  return undefined;
}

/** xargs adds words from its input: known ones are added here; as an unknown program name they are refused. */
function unwrapXargs(own: Word[], words: Word[], input: string | null | undefined): Inner {
  if (words.length === 0) return { own };
  const replaced = own.flatMap(({ text }, i) => {
    const attached = /^(?:-I|-i|--replace=)(.+)$/.exec(text)?.[1];
    return text === '-I' || text === '-J' ? [own[i + 1]?.text ?? '{}'] : attached ? [attached] : [];
  });
  if (
    words.some(({ text }) =>
      replaced.some((mark) => text !== mark && mark !== '' && text.includes(mark) && /\s/.test(text)),
    )
  ) {
    return { own, refused: unreadable('xargs builds a script from its input') };
  }
  if (replaced.includes(words[0]?.text ?? ''))
    return { own, refused: unreadable('xargs takes the program from its input') };
  const read = (input ?? '')
    .split(/\s+/)
    .filter((text) => text !== '')
    .map(literal);
  if (
    words.length === 1 &&
    read.length === 0 &&
    /^(?:.*\/)?(?:git|sh|bash|zsh|dash|env|sudo|eval|docker)$/.test(words[0]?.text ?? '')
  ) {
    return { own, refused: unreadable('xargs takes the command from its input') };
  }
  return { commands: [{ words: [...words, ...read], redirects: [] }], own };
}

function unwrapFind(program: string, args: Word[]): Inner | undefined {
  if (program !== 'find' && program !== 'gfind') return undefined;
  const commands: Command[] = [];
  for (const [i, { text }] of args.entries()) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word.text === ';' || word.text === '+');
    commands.push({ words: end < 0 ? rest : rest.slice(0, end), redirects: [] });
  }
  if (
    commands.some(
      ({ words }) => words[0]?.text === '{}' || words.some((word) => /\{\}./.test(word.text) && /\s/.test(word.text)),
    )
  ) {
    return { own: 'all', refused: unreadable('find builds a command from file names') };
  }
  return { commands, own: 'all' };
}
