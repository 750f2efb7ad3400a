import type { FactSource, Uncovered } from '../../../schemas/repoFacts.ts';
import { checkPolicy } from '../../policy/policy.ts';
import { readScript } from '../../policy/shell/shell.ts';
import { type ScriptPart, splitScript } from '../../policy/shell/splitScript.ts';
import { bestKind, type KindOf, kindOfCommand } from './kindOfCommand.ts';
import { lineWhere } from './lines.ts';
import { stepInto } from './paths.ts';
import type { Candidate, Found } from './reader.ts';

/** The place of a script in a file of the repository. */
export interface ScriptPlace {
  path: string;
  lines: readonly string[];
  /** The line of the file with the key of the script, or its first line. */
  line: number;
  cwd: string;
  source: FactSource;
  /** Variables that hold for all of it. */
  variables?: Readonly<Record<string, string>>;
  /** Hints are not complete: what devflow does not understand there is no gap, and only plain commands count. */
  isHint?: boolean;
  kindOf: KindOf;
  paths: ReadonlySet<string>;
}

/** Longer scripts are programs, not lists of commands. */
const MOST_CHARACTERS = 16_000;
const MOST_PARTS = 200;
/** A longer text is no command that a person would repeat. */
const MOST_SHELL_CHARACTERS = 200;
const SHOWN_CHARACTERS = 80;

/** They neither check nor change anything that a check needs. */
const QUIET = new Set(
  'echo printf true : exit pwd ls cat which date set git mkdir touch sleep env printenv tee chmod'.split(' '),
);
/** The checkout, as CI names it. */
const ROOT = /\$(?:GITHUB_WORKSPACE\b|CI_PROJECT_DIR\b|\{(?:GITHUB_WORKSPACE|CI_PROJECT_DIR)\})/g;
/** A program below the home of CI. Here it is wherever the search path has it. */
const OF_HOME = /^(["']?)(?:\$HOME|\$\{HOME\}|~)(?:\/[\w.-]+)*\/bin\/([\w.-]+)\1(?=\s|$)/;

/** They change what the commands after them mean. */
const UNFOLLOWED = new Set(['source', '.', 'eval', 'exec', 'pushd', 'popd', 'nvm']);

/** The commands of a shell script, each for itself, where devflow knows what it is for. */
export function scriptCommands(script: string, place: ScriptPlace): Found {
  const found: Candidate[] = [];
  const uncovered: Uncovered[] = [];
  const skip = (line: number, why: string) => {
    if (!place.isHint) uncovered.push({ path: place.path, why: `line ${line}: ${why}` });
  };
  if (script.length > MOST_CHARACTERS) {
    skip(place.line, `the script is longer than ${MOST_CHARACTERS} characters`);
    return { candidates: [], uncovered };
  }
  const parts = splitScript(script);
  if (parts.length > MOST_PARTS) skip(place.line, `the script has more than ${MOST_PARTS} commands`);
  let cwd: string | undefined = place.cwd;
  const variables: Record<string, string> = Object.assign(Object.create(null), place.variables);
  let line = place.line;
  for (const part of parts.slice(0, MOST_PARTS)) {
    line = lineOfPart(part, place, line);
    const { words } = withoutPlaces(part, cwd);
    const [program = '', step = ''] = words ?? [];
    if (words?.length === 0) Object.assign(variables, Object.fromEntries(part.variables));
    else if (words === undefined && /^cd\s/.test(part.text)) {
      cwd = undefined;
      skip(line, `"${shown(part.text)}": ${part.why}`);
    } else if (program === 'cd') cwd = cwd === undefined || words?.length !== 2 ? undefined : stepInto(cwd, step);
    else if (UNFOLLOWED.has(program)) skip(line, `devflow does not follow "${shown(part.text)}"`);
    else if (!QUIET.has(program) || kindOfCommand(words ?? []) !== undefined) {
      const read =
        cwd === undefined
          ? 'devflow does not know the directory'
          : commandOf({ ...part, words }, variables, place, cwd);
      if (typeof read === 'string') skip(line, `"${shown(part.text)}": ${read}`);
      else if (read && cwd !== undefined) found.push({ ...read, cwd, path: place.path, line, source: place.source });
    }
  }
  return { candidates: found, uncovered };
}

/** The command of a part, why there is none, or undefined for a part that says nothing. */
function commandOf(
  part: Omit<ScriptPart, 'words'> & { words: string[] | undefined },
  variables: Readonly<Record<string, string>>,
  { kindOf, isHint, paths }: ScriptPlace,
  cwd: string,
): Pick<Candidate, 'kind' | 'argv'> | string | undefined {
  const set = Object.entries({ ...variables, ...Object.fromEntries(part.variables) });
  const env = set.length === 0 ? [] : ['env', ...set.map(([name, value]) => `${name}=${value}`)];
  if (part.words) {
    const kind = kindOf(part.words, cwd);
    if (kind === undefined) return 'devflow does not know what it is for';
    if (isHint && !isRunnable(part.words, cwd, paths)) return 'it is an example';
    if (part.words[0] === 'sudo' && kind !== 'install') return 'it needs the rights of root';
    return { kind, argv: [...env, ...part.words] };
  }
  if (isHint) return part.why;
  const kind = bestKind(
    readScript(part.text).commands.map((command) =>
      kindOf(
        command.words.map((word) => word.text),
        cwd,
      ),
    ),
  );
  if (kind === undefined) return isMadeOf(part.text, QUIET) ? undefined : part.why;
  if (part.why === 'it runs in the background') return part.why;
  if (part.text.length > MOST_SHELL_CHARACTERS) return `${part.why}, and it is long`;
  const argv = [...env, 'sh', '-c', part.text];
  const { allowed, reason } = checkPolicy(argv);
  return allowed ? { kind, argv } : `${part.why}, and the policy refuses it: ${reason}`;
}

/** Replaces the places of CI by those of this machine. */
function withoutPlaces(part: ScriptPart, cwd: string | undefined): Pick<ScriptPart, 'words'> {
  if (part.words) return part;
  const isCd = /^cd\s/.test(part.text);
  const text = cwd === '.' || isCd ? part.text.replaceAll(ROOT, '.') : part.text;
  const plain = text.replace(OF_HOME, '$2');
  if (plain === part.text) return part;
  const [only, ...more] = splitScript(plain);
  const words = more.length === 0 ? only?.words : undefined;
  // The root is named from wherever the script is.
  const steps = isCd && cwd !== undefined && cwd !== '.' ? cwd.split('/').map(() => '..') : [];
  return { words: words && isCd ? ['cd', [...steps, words[1] ?? ''].join('/'), ...words.slice(2)] : words };
}

/** Documents show examples: names of files that are not there, and dots for what is left out. */
function isRunnable(words: readonly string[], cwd: string, paths: ReadonlySet<string>): boolean {
  const [program = ''] = words;
  const isThere = !program.includes('/') || paths.has(stepInto(cwd, program) ?? '');
  return isThere && !words.some((word) => /^(?:\.{3}|…)$/.test(word));
}

/** True if a text only prints something. */
export function isHollow(script: string): boolean {
  return isMadeOf(script, new Set(['echo', 'printf', 'true', 'false', ':', 'exit']));
}

function isMadeOf(script: string, programs: ReadonlySet<string>): boolean {
  if (script.length > MOST_CHARACTERS) return false;
  const { commands, fault } = readScript(script);
  return !fault && commands.length > 0 && commands.every(({ words }) => programs.has(words[0]?.text ?? ''));
}

/** A block begins below its key; a folded one has other lines than the file, so the text itself decides. */
function lineOfPart(part: ScriptPart, { lines }: ScriptPlace, from: number): number {
  const first = part.text.split('\n')[0]?.trim() ?? '';
  return lineWhere(lines.slice(0, from + 500), (line) => line.includes(first), { from });
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
