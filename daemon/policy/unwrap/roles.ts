import type { Word } from '../call/call.ts';

/** The arguments of a program that are no commands. */
interface Roles {
  /** No argument is a command or a path. */
  all?: boolean;
  /** Options whose value is text. */
  text?: readonly string[];
  /** Options whose value names something: a directory, a service, a language. */
  names?: readonly string[];
  /** The number of first operands that are text (a pattern, a script), … */
  operands?: number;
  /** … unless one of these options is given. */
  unless?: readonly string[];
  /** Options after `--` belong to the wrapped program. */
  passesOn?: boolean;
  /** If one of these is the first operand, all words after it are names. */
  verbs?: readonly string[];
}

const ALL: Roles = { all: true };
const PATTERN: Roles = {
  text: ['-e', '--regexp', '-A', '-B', '-C', '-m', '-g', '--glob', '--include', '--exclude'],
  operands: 1,
  unless: ['-e', '--regexp', '-f', '--file'],
};
const CODE: Roles = { text: ['-e', '--expression'], operands: 1, unless: ['-e', '--expression', '-f', '--file'] };
const MESSAGE: Roles = { text: ['-m', '-t', '-b', '-n', '-F', '-c', '-l', '--search', '--jq'] };
const TEST: Roles = { text: ['-t', '-g', '-k', '-m', '--project', '-run', '--run', '-R', '--gtest_filter'] };
const PACKAGES: Roles = {
  text: ['-t', '-g', '-k', '-m'],
  passesOn: true,
  names: ['-C', '--prefix', '-w', '--workspace', '--filter', '-F', '--cwd', '--dir'],
  verbs: [
    ...[
      'install',
      'i',
      'add',
      'ci',
      'remove',
      'uninstall',
      'rm',
      'un',
      'ls',
      'list',
      'why',
      'view',
      'info',
      'outdated',
    ],
    ...['update', 'up', 'upgrade', 'audit', 'link', 'show', 'search', 'download', 'require'],
  ],
};
const MAKE: Roles = { text: ['-k'], names: ['-C', '--directory', '-f', '--file', '-I', '-o', '-W'] };
const DOCKER: Roles = {
  text: ['-t', '--tag', '--target', '-l', '--label'],
  names: ['--name', '--hostname', '--network', '-f', '--file', '-p', '--project-name', '--profile', '--build-arg'],
};
const LANGUAGE: Roles = { names: ['-s', '-l', '--shell', '--language', '--syntax', '--lexer'] };
const HTTP: Roles = { text: ['-d', '--data', '--data-raw', '--json', '-H', '--header', '-A', '-X', '-w', '-u'] };

const ROLES: Record<string, Roles> = {
  ...each(['echo', 'printf', 'logger', 'which', 'whereis', 'apropos', 'tldr', 'whatis', 'basename', 'dirname'], ALL),
  ...each(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'pgrep', 'pkill'], PATTERN),
  ...each(['sed', 'gsed', 'awk', 'gawk', 'mawk', 'jq', 'yq'], CODE),
  ...each(['gh', 'glab', 'hg', 'svn', 'alembic', 'jj'], MESSAGE),
  ...each(
    ['vitest', 'jest', 'mocha', 'ava', 'playwright', 'cypress', 'pytest', 'py.test', 'tox', 'nox', 'rspec'],
    TEST,
  ),
  ...each(['bats'], { text: ['-f', '--filter'] }),
  ...each(['phpunit', 'pest', 'go', 'ctest', 'gradle', 'gradlew', 'mvn', 'karma', 'wdio', 'tap'], TEST),
  ...each(
    ['npm', 'pnpm', 'yarn', 'bun', 'pip', 'pip3', 'brew', 'apt', 'apt-get', 'apk', 'dnf', 'yum', 'gem'],
    PACKAGES,
  ),
  ...each(['cargo', 'composer', 'poetry', 'uv', 'conda'], PACKAGES),
  ...each(['make', 'gmake', 'ninja', 'just'], MAKE),
  ...each(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'], DOCKER),
  ...each(['shellcheck', 'shfmt', 'bat', 'pygmentize', 'highlight'], LANGUAGE),
  ...each(['curl', 'wget', 'http', 'https', 'xh'], HTTP),
};

/** Common words that name a program only at the start of a command (`npm test` runs no `test`). */
const HEADS: Record<string, Roles> = each(
  ['test', '[', 'true', 'false', 'man', 'type', 'help', 'hash', 'unset', 'expr'],
  ALL,
);

/** Options whose value is text or a pattern, for any program. */
const TEXT_OPTIONS = new Set([
  ...['--grep', '--testNamePattern', '--test-name-pattern', '--filter', '--tests', '--message', '--title', '--body'],
  ...['--notes', '--description', '--subject', '--author', '--reason', '--comment', '--label', '--pattern', '--regex'],
]);

function each(names: readonly string[], roles: Roles): Record<string, Roles> {
  return Object.fromEntries(names.map((name) => [name, roles]));
}

/** `command -v rm` looks a program up and runs none. */
function isLookup(name: string, args: readonly Word[]): boolean {
  return name === 'command' && /^-[vV]$/.test(args[0]?.text ?? '');
}

/** Marks the arguments of `name` that are no commands. */
export function markRoles(name: string, args: readonly Word[], isHead: boolean): void {
  if (name === 'find' || name === 'gfind' || name === 'fd' || name === 'fdfind') markFind(args);
  const table = isHead && Object.hasOwn(HEADS, name) ? HEADS : ROLES;
  const roles = isLookup(name, args) ? ALL : Object.hasOwn(table, name) ? table[name] : undefined;
  if (roles) mark(roles, args);
}

/** Marks the values of options that are text for any program. */
export function markTextOptions(words: readonly Word[]): void {
  for (const [i, word] of words.entries()) {
    const next = words[i + 1];
    if (TEXT_OPTIONS.has(word.text) && next) next.role ??= 'text';
    else if (TEXT_OPTIONS.has(word.text.replace(/=[\s\S]*$/, '')) && word.text.includes('=')) word.role ??= 'text';
  }
}

function mark(
  { all, text = [], names = [], operands = 0, unless = [], verbs = [], passesOn = false }: Roles,
  args: readonly Word[],
): void {
  const has = (name: string) =>
    args.some(({ text: word }) => word === name || word.startsWith(`${name}=`) || inCluster(name, word));
  let skip = unless.some(has) ? 0 : operands;
  let first = true;
  let options = true;
  let rest: Word['role'] = all ? 'text' : undefined;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Word;
    const next = args[i + 1];
    const last = isCluster(word.text) && !text.includes(word.text) ? `-${word.text.at(-1)}` : word.text;
    if (rest) word.role ??= rest;
    else if (options && word.text === '--') options = passesOn;
    else if (options && word.text.startsWith('-') && word.text !== '-') {
      const role = text.includes(last) ? 'text' : names.includes(word.text) ? 'name' : undefined;
      // `curl -d @file` sends a file.
      if (role && next) next.role ??= next.text.startsWith('@') ? 'name' : role;
      if (role) i += 1;
      else if (text.includes(word.text.replace(/=[\s\S]*$/, '')) || text.includes(word.text.slice(0, 2)))
        word.role ??= 'name';
    } else {
      if (skip > 0) word.role ??= 'text';
      skip -= 1;
      if (first && verbs.includes(word.text)) {
        word.role ??= 'name';
        rest = 'name';
      }
      first = false;
    }
  }
}

/** Patterns of find are text, unless it passes the files to a program. */
function markFind(args: readonly Word[]): void {
  const role = args.some(({ text }) => /^-(?:exec|ok|x$|X$|-exec)/.test(text)) ? 'name' : 'text';
  for (const [i, word] of args.entries()) {
    if (/^-(?:i?name|i?path|i?regex|i?wholename|e|E|g)$/.test(args[i - 1]?.text ?? '')) word.role ??= role;
  }
}

function isCluster(word: string): boolean {
  return /^-[A-Za-z]{2,}$/.test(word);
}

function inCluster(name: string, word: string): boolean {
  return name.length === 2 && isCluster(word) && word.includes(name[1] as string);
}
