import type { Fact } from '../../schemas/repoFacts.ts';
import { readScript } from '../policy/shell/shell.ts';
import type { Judged } from './bodies/judge.ts';
import { breakable } from './breakFiles.ts';
import { nameOf, stepInto } from './candidate/paths.ts';
import { innerCommand } from './candidate/wrappers.ts';
import { documents } from './readers/documents.ts';
import { READERS } from './readers/index.ts';

type Asked = Pick<Fact, 'argv' | 'cwd' | 'kind'>;

const MOST_CHARACTERS = 64 * 1024;
const INTERPRETER = /^(?:node|python[\d.]*|ruby|perl|php|(?:ba|da|z|k|a)?sh|\.|source)$/;
/** A word that may stand for any path. */
const OPEN = /[*?[]|^(?:\.{0,2}\/?)$/;

/** The files to break for a check. Undefined if there are none, too many, or if it could be about a file that stays whole. */
export function filesToBreak(
  fact: Asked,
  judged: Judged | undefined,
  paths: ReadonlySet<string>,
): string[] | undefined {
  const { bodies = [], unread = [] } = judged ?? {};
  const called = [...splitCall(fact.argv).called, ...unread].flatMap((word) => stepInto(fact.cwd, word) ?? []);
  const files = breakable(paths, new Set([...called, ...bodies.map(({ path }) => path)]));
  if (!files || bodies.some(({ text }) => text.length > MOST_CHARACTERS)) return undefined;
  const broken = new Set(files);
  const whole = [...paths].filter((path) => !broken.has(path));
  // A tool such as `sort-package-json` names no file.
  const isStyle = fact.kind === 'lint' || fact.kind === 'format';
  if (isStyle && whole.some((path) => isManifest(path))) return undefined;
  const names = new Set(whole.flatMap((path) => path.split('/')));
  const operands = [...splitCall(fact.argv).operands, ...bodies.flatMap(({ text }) => operandsOf(text))];
  return operands.some((word) => word === undefined || isAbout(word, names)) ? undefined : files;
}

function isManifest(path: string): boolean {
  return !documents.reads(path) && READERS.some((reader) => reader.reads(path));
}

/** The program and its script, and all other words. A script after an option, as in `sh -n x.sh`, may be what is checked. */
function splitCall(argv: readonly string[]): { called: string[]; operands: string[] } {
  const [program = '', ...words] = innerCommand(argv);
  const hasScript = INTERPRETER.test(nameOf(program)) && words[0] !== undefined && !words[0].startsWith('-');
  const [called, operands] = hasScript ? [words.slice(0, 1), words.slice(1)] : [[], words];
  return { called: [program, ...called], operands };
}

/** Undefined stands for a word that only a running shell knows. */
function operandsOf(script: string): (string | undefined)[] {
  return readScript(script).commands.flatMap(({ words, redirects }) => [
    ...splitCall(words.map(({ text }) => text)).operands,
    ...redirects.map(({ text }) => text),
    ...(words.some(({ dynamic }) => dynamic) ? [undefined] : []),
  ]);
}

/** True if a word could name one of the files or their directories, from any working directory. */
function isAbout(word: string, names: ReadonlySet<string>): boolean {
  const value = word.slice(word.indexOf('=') + 1);
  return names.size > 0 && (OPEN.test(value) || names.has(nameOf(value.replace(/\/+$/, ''))));
}
