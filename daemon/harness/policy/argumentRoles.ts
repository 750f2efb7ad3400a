import type { Word } from './finding.ts';

/** A word that may name a file. With `bareNames` false a mere word such as `token` does not count. */
export interface Candidate {
  text: string;
  bareNames: boolean;
}

/** Arguments that are text and never files, per program. */
interface Roles {
  /** Options whose value is text. */
  text?: readonly string[];
  /** How many of the first operands are text (a pattern, a script)… */
  operands?: number;
  /** …unless one of these options gave it already. */
  unless?: readonly string[];
  /** Operands are names of something else (scripts, packages) unless they look like files. */
  names?: boolean;
  /** Nothing is a path. */
  all?: boolean;
}

const GREP: Roles = {
  text: ['-e', '--regexp', '-A', '-B', '-C', '-m'],
  operands: 1,
  unless: ['-e', '--regexp', '-f', '--file'],
};
const MESSAGE: Roles = { text: ['-m', '--message', '-t', '--title', '-b', '--body', '--notes', '-n'] };
const TEST: Roles = { text: ['-t', '--testNamePattern', '-g', '--grep', '-k', '-m', '--project'] };
const PACKAGES: Roles = { names: true, text: ['-m', '--message'] };
const DOCKER: Roles = { text: ['-t', '--tag', '--name', '-m', '--message', '--target'] };
const SQL: Roles = { text: ['-c', '--command', '-e', '--execute', '--eval'] };
const SCRIPT: Roles = { text: ['-e', '--expression'], operands: 1, unless: ['-e', '--expression', '-f', '--file'] };

export const ROLES: Record<string, Roles> = {
  ...{ echo: { all: true }, printf: { all: true }, true: { all: true }, ':': {} },
  ...{ grep: GREP, egrep: GREP, fgrep: GREP, rg: GREP, ag: GREP, ack: GREP },
  ...{ sed: SCRIPT, gsed: SCRIPT, awk: SCRIPT, gawk: SCRIPT, mawk: SCRIPT, jq: SCRIPT, yq: SCRIPT },
  ...{ find: { text: ['-name', '-iname', '-path', '-ipath', '-regex', '-iregex', '-wholename'] } },
  ...{ gh: MESSAGE, glab: MESSAGE, hg: MESSAGE, svn: MESSAGE, alembic: MESSAGE },
  ...{ vitest: TEST, jest: TEST, mocha: TEST, playwright: TEST, pytest: TEST },
  ...{ npm: PACKAGES, pnpm: PACKAGES, yarn: PACKAGES, bun: PACKAGES, make: PACKAGES, cargo: PACKAGES, go: PACKAGES },
  ...{ docker: DOCKER, podman: DOCKER, psql: SQL, mysql: SQL, mariadb: SQL, sqlite3: SQL },
};

/** The words of `args` that may name files, given what the program takes as text. */
export function candidatesOf(roles: Roles, args: readonly Word[]): Candidate[] {
  if (roles.all) return [];
  const text = roles.text ?? [];
  const has = (name: string) =>
    args.some((word) => word.text === name || word.text.startsWith(`${name}=`) || inCluster(name, word.text));
  let skip = roles.unless?.some(has) ? 0 : (roles.operands ?? 0);
  let names = roles.names === true;
  let options = true;
  const found: Candidate[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = (args[i] as Word).text;
    if (options && word === '--') {
      options = false;
      names = false;
    } else if (!options || !word.startsWith('-') || word === '-') {
      if (skip > 0) skip -= 1;
      else found.push({ text: word, bareNames: !names });
    } else if (text.includes(word) || (isCluster(word) && text.includes(`-${word.at(-1)}`))) i += 1;
    else found.push(...attachedValue(word, text));
  }
  return found;
}

function attachedValue(word: string, text: readonly string[]): Candidate[] {
  const equals = word.indexOf('=');
  if (equals > 0)
    return text.includes(word.slice(0, equals)) ? [] : [{ text: word.slice(equals + 1), bareNames: true }];
  // `-f.env`; without a dot or slash the letters are more likely a cluster of options.
  const attached = word.startsWith('--') ? '' : word.slice(2);
  return /[./]/.test(attached) && !text.includes(word.slice(0, 2)) ? [{ text: attached, bareNames: true }] : [];
}

function isCluster(word: string): boolean {
  return /^-[A-Za-z]{2,}$/.test(word);
}

function inCluster(name: string, word: string): boolean {
  return name.length === 2 && isCluster(word) && word.includes(name[1] as string);
}
