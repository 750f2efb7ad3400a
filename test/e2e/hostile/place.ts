import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where an attack happens: a repository of a person, and the worktree in which an agent works. */
export interface Place {
  repo: string;
  worktree: string;
  /** git's own directory of the worktree, below the repository. */
  gitDir: string;
  /** A directory that belongs to neither. Markers and programs lie here. */
  outside: string;
  /** Plain git without any protection, as the attacker uses it. Returns its output. Throws if it fails. */
  git(cwd: string, ...args: string[]): string;
  /** Plain git that may fail: the test runs it for its side effects. */
  tryGit(cwd: string, ...args: string[]): void;
  write(path: string, text: string): void;
  append(path: string, text: string): void;
  /** The settings of the person's repository. */
  settings: string;
  /** Appends a setting to a file of git's: no program is needed for that. */
  config(file: string, key: string, value: string): void;
}

/** A process filter that reports no capabilities, so that git continues after it has run it. */
export const IDLE_FILTER = "printf '0016git-filter-server\\n000eversion=2\\n00000000'; exec cat > /dev/null";

/** One way to make git run a program. It is planted as plain files. */
export interface Way {
  name: string;
  /** `program(body)` writes the program that leaves the marker of this way; the result is its path. */
  plant(place: Place, program: (body?: string, path?: string) => string): void;
}

/** Ways that fit into one repository and one run. */
export interface Scene {
  name: string;
  /** Before the run starts. */
  prepare?(place: Place): void;
  ways: Way[];
  /** What the agent does beside it, where no program is run. */
  tamper?(place: Place): void;
  /** Plain git that sets the ways off, beside what everybody does. In the worktree. */
  commands?: string[][];
  /** The attack stays in the repository: a second run is started in it. */
  staysInRepo?: boolean;
  /** git's directory of another repository, which devflow must leave as it is: the first of these that is there. */
  others?(place: Place): string[];
}

type Where = Pick<Place, 'repo' | 'worktree' | 'gitDir' | 'outside'>;

export function placeAt(facts: Where, env: NodeJS.ProcessEnv): Place {
  const identity = { GIT_AUTHOR_NAME: 'Agent', GIT_AUTHOR_EMAIL: 'agent@localhost' };
  const committer = { GIT_COMMITTER_NAME: 'Agent', GIT_COMMITTER_EMAIL: 'agent@localhost' };
  const run = (cwd: string, args: string[]) =>
    spawnSync('git', args, {
      cwd,
      env: { ...env, ...identity, ...committer, GIT_EDITOR: undefined },
      encoding: 'utf8',
      input: 'subject\n',
      timeout: 20_000,
    });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const append = (path: string, text: string) => {
    if (!existsSync(path)) write(path, '');
    appendFileSync(path, text);
  };
  return {
    ...facts,
    write,
    append,
    settings: join(facts.repo, '.git', 'config'),
    config(file, key, value) {
      const [section = '', ...rest] = key.split('.');
      const name = rest.pop();
      append(file, `[${section}${rest.length > 0 ? ` "${rest.join('.')}"` : ''}]\n\t${name} = ${value}\n`);
    },
    git(cwd, ...args) {
      const { status, stdout, stderr } = run(cwd, args);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
      return stdout.trim();
    },
    tryGit: (cwd, ...args) => void run(cwd, args),
  };
}

const slug = (name: string) => name.replace(/[^a-z0-9]+/gi, '-');
const markerOf = ({ outside }: Place, { name }: Way) => join(outside, 'markers', slug(name));

export const isMarked = (place: Place, way: Way) => existsSync(markerOf(place, way));

export function plant(place: Place, way: Way): void {
  const marker = markerOf(place, way);
  mkdirSync(dirname(marker), { recursive: true });
  way.plant(place, (body = 'exit 0', path = join(place.outside, 'bin', slug(way.name))) => {
    place.write(path, `#!/bin/sh\n: > '${marker}'\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  });
}

/** What a person does in a worktree every day. It triggers what is planted there. */
const EVERY_DAY: string[][] = [
  ...[['status'], ['add', '-A'], ['commit', '-m', 'Work']],
  ...[['-c', 'commit.gpgsign=false', 'commit', '--no-verify', '--allow-empty', '-m', 'More'], ['status']],
  ...[
    ['diff', 'HEAD~2'],
    ['show', 'HEAD~1'],
    ['log', '-p', '-3'],
  ],
];

export function useGitEveryDay(place: Place, { commands = [] }: Scene): void {
  for (const command of [...EVERY_DAY, ...commands]) place.tryGit(place.worktree, ...command);
  place.tryGit(place.repo, 'worktree', 'add', '--detach', join(place.outside, 'another'));
}
