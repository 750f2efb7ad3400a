import type { FactSource, Uncovered } from '../../../../schemas/repoFacts.ts';
import { checkPolicy } from '../../policy/policy.ts';
import { readScript } from '../../policy/shell/shell.ts';
import { type ScriptPart, splitScript } from '../../policy/shell/splitScript.ts';
import { kindOfCommand } from './kindOfCommand.ts';
import { lineWhere } from './lines.ts';
import { stepInto } from './paths.ts';
import type { Candidate, Found } from './reader.ts';

/** Where a script stands. */
export interface ScriptPlace {
  path: string;
  lines: readonly string[];
  /** The line of the file with the key of the script, or its first line. */
  line: number;
  cwd: string;
  source: FactSource;
  /** Variables that hold for all of it. */
  variables?: Readonly<Record<string, string>>;
  /** Hints are not complete: what devflow does not understand there is no gap. */
  isHint?: boolean;
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
    const { words } = part;
    const [program = '', step = ''] = words ?? [];
    if (words?.length === 0) Object.assign(variables, Object.fromEntries(part.variables));
    else if (program === 'cd') cwd = cwd === undefined || words?.length !== 2 ? undefined : stepInto(cwd, step);
    else if (UNFOLLOWED.has(program)) skip(line, `devflow does not follow "${shown(part.text)}"`);
    else if (!QUIET.has(program) || kindOfCommand(words ?? []) !== undefined) {
      const read = cwd === undefined ? 'devflow does not know the directory' : commandOf(part, variables);
      if (typeof read === 'string') skip(line, `"${shown(part.text)}": ${read}`);
      else if (read && cwd !== undefined) found.push({ ...read, cwd, path: place.path, line, source: place.source });
    }
  }
  return { candidates: found, uncovered };
}

/** The command of a part, why there is none, or undefined for a part that says nothing. */
function commandOf(
  part: ScriptPart,
  variables: Readonly<Record<string, string>>,
): Pick<Candidate, 'kind' | 'argv'> | string | undefined {
  const set = Object.entries({ ...variables, ...Object.fromEntries(part.variables) });
  const env = set.length === 0 ? [] : ['env', ...set.map(([name, value]) => `${name}=${value}`)];
  if (part.words) {
    const kind = kindOfCommand(part.words);
    if (kind === undefined) return 'devflow does not know what it is for';
    if (part.words[0] === 'sudo' && kind !== 'install') return 'it needs the rights of root';
    return { kind, argv: [...env, ...part.words] };
  }
  const kinds = readScript(part.text).commands.map((command) => kindOfCommand(command.words.map((word) => word.text)));
  const kind =
    kinds.find((each) => each !== undefined && each !== 'install') ?? kinds.find((each) => each !== undefined);
  if (kind === undefined) return isQuiet(part.text) ? undefined : part.why;
  if (part.why === 'it runs in the background') return part.why;
  if (part.text.length > MOST_SHELL_CHARACTERS) return `${part.why}, and it is long`;
  const argv = [...env, 'sh', '-c', part.text];
  const { allowed, reason } = checkPolicy(argv);
  return allowed ? { kind, argv } : `${part.why}, and the policy refuses it: ${reason}`;
}

/** Whether a text only prints something. */
export function isHollow(script: string): boolean {
  return isMadeOf(script, new Set(['echo', 'printf', 'true', 'false', ':', 'exit']));
}

function isQuiet(script: string): boolean {
  return isMadeOf(script, QUIET);
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
