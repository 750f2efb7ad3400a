import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { GIT_SETTINGS, gitVariables } from '../../../schemas/config/gitSettings.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { assertAllowed } from '../../policy/policy.ts';
import { noteGit } from './gitRecord.ts';
import { type GitPlaces, guardGit } from './stuckGit.ts';

export interface GitOptions {
  /** The call only reads. It takes no optional locks, so it never rewrites an index that somebody else uses. */
  read?: boolean;
  /** Standard input. Default: none. */
  input?: string;
  /** Milliseconds. Default: two minutes. */
  timeoutMs?: number;
  /** Exit codes that are no failures. Default: only 0. */
  accept?: readonly number[];
  /** The most characters of output. More end git and set `truncated`. Default: 64 Mi, and more is a failure. */
  cap?: number;
  /** The git directory, so that git does not search for one. git then does not read the person's configuration. */
  gitDir?: string;
  /** The directory that `gitDir` shares with other worktrees, if any. */
  commonDir?: string;
  /** The directory with the files; only with `gitDir`. */
  workTree?: string;
  /** The index file, instead of the one in `gitDir`. */
  index?: string;
  /** One character per byte in `input` and output, because file names need not be UTF-8. */
  bytes?: boolean;
  /** Further settings, as for `-c`. */
  settings?: readonly string[];
  /** The person's attributes file. The system's file then counts too, as for the person's own git. */
  attributesFile?: string;
  /** The time of a new commit (ISO 8601, UTC), so that the same call makes the same commit. Default: now. */
  at?: string;
  /** The call deletes a ref. The policy forbids that, so the caller has proven that another branch has its commits. */
  deletesHeldRef?: true;
  /**
   * Called with each line of output, one character per byte. The output is then not kept, so it may be of any length. Of a
   * long line come the first thousand characters.
   */
  onLine?(line: string): void;
  /** Called about once a second with git's progress, if the command has `-v` or `--progress`. */
  onProgress?(progress: GitProgress): void;
}

export interface GitProgress {
  done: number;
  total: number;
}

export interface GitOutput {
  stdout: string;
  exitCode: number;
  truncated: boolean;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_CAP = 64 * 1024 * 1024;

/**
 * Runs git in `cwd` and returns its output without the last newline. Throws git_failed with git's own message,
 * destructive_command_blocked, secret_access_blocked, or path_unsafe if git hangs on a pipe or a device.
 */
export async function runGit(
  cwd: string,
  args: readonly string[],
  options: GitOptions & { runId?: string } = {},
): Promise<GitOutput> {
  if (!options.deletesHeldRef) assertAllowed(['git', ...args]);
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const startedAt = new Date();
  const { result, stuckAt } = await guardGit(placesOf(cwd, options), (cancelSignal) => {
    const running = execa('git', [...globalWords(options), ...args], {
      cwd,
      env: gitEnvironment(options),
      extendEnv: false,
      timeout,
      cancelSignal,
      maxBuffer: options.cap ?? DEFAULT_CAP,
      reject: false,
      buffer: { stdout: options.onLine === undefined },
      encoding: options.bytes ? 'latin1' : 'utf8',
      ...(options.input === undefined
        ? { stdin: 'ignore' }
        : { input: Buffer.from(options.input, options.bytes ? 'latin1' : 'utf8') }),
    });
    if (options.onLine) followLines(running.stdout, options.onLine);
    if (options.onProgress) followProgress(running.stderr, options.onProgress);
    return running;
  });
  if (!options.read) {
    const ended = { exitCode: result.exitCode ?? null, startedAt, endedAt: new Date() };
    noteGit(subcommandOf(args), { argv: ['git', ...args], cwd, ...ended });
  }
  if (stuckAt !== undefined && result.isCanceled) {
    throw new DevflowError('path_unsafe', `git ${subcommandOf(args)} hangs: ${stuckAt}.`, {
      runId: options.runId,
      recoveryHint: 'Remove that file or replace it with a regular file, then try again.',
    });
  }
  const truncated = result.isMaxBuffer && options.cap !== undefined;
  const exitCode = result.exitCode ?? -1;
  if (truncated || (options.accept ?? [0]).includes(exitCode))
    return { stdout: result.stdout ?? '', exitCode, truncated };

  const reason = result.timedOut
    ? `it timed out after ${timeout / 1000} s`
    : result.isMaxBuffer
      ? 'it prints more than devflow reads'
      : (sentenceOf(result.stderr) ?? (await whyNotStarted(cwd)) ?? result.shortMessage ?? 'it gave no reason');
  throw new DevflowError('git_failed', `git ${subcommandOf(args)} failed in ${cwd}: ${reason}`, {
    runId: options.runId,
    data: { argv: ['git', ...args], exitCode: result.exitCode ?? null, stderr: result.stderr?.slice(-4000) ?? '' },
  });
}

const LONGEST_LINE = 1_000;

function followLines(stdout: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = '';
  stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) onLine(line.slice(0, LONGEST_LINE));
  });
  stdout?.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

/** git writes `Updating files:  42% (42000/100000)` and a carriage return, even without a terminal. */
function followProgress(stderr: NodeJS.ReadableStream | null, onProgress: (progress: GitProgress) => void): void {
  let rest = '';
  stderr?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split(/[\r\n]/);
    rest = (lines.pop() ?? '').slice(-1_000);
    const newest = lines.map((line) => /^Updating files: +\d+% \((\d+)\/(\d+)\)/.exec(line)).findLast(Boolean);
    if (newest) onProgress({ done: Number(newest[1]), total: Number(newest[2]) });
  });
}

function placesOf(cwd: string, { gitDir = join(cwd, '.git'), commonDir, workTree }: GitOptions): GitPlaces {
  return { workTree, gitDirs: commonDir === undefined ? [gitDir] : [gitDir, commonDir] };
}

/** The policy does not check these words: devflow adds them, and they only disable features. */
function globalWords({ gitDir, workTree, settings = [], attributesFile }: GitOptions): string[] {
  return [
    ...GIT_SETTINGS,
    ...(attributesFile === undefined ? [] : ['-c', `core.attributesFile=${attributesFile}`]),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
}

function gitEnvironment({ read, gitDir, index, at, attributesFile }: GitOptions): NodeJS.ProcessEnv {
  const env = gitVariables(process.env);
  if (at !== undefined) Object.assign(env, { GIT_AUTHOR_DATE: dateOf(at), GIT_COMMITTER_DATE: dateOf(at) });
  if (attributesFile !== undefined) delete env.GIT_ATTR_NOSYSTEM;
  if (read) env.GIT_OPTIONAL_LOCKS = '0';
  if (index !== undefined) env.GIT_INDEX_FILE = index;
  return gitDir === undefined ? env : { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
}

/** git reads other forms in the zone of the machine. */
function dateOf(at: string): string {
  return `@${Math.floor(Date.parse(at) / 1000)} +0000`;
}

/** The last line of stderr that starts with fatal or error, else the last line. */
function sentenceOf(stderr: string | undefined): string | undefined {
  const lines = (stderr ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1);
}

async function whyNotStarted(cwd: string): Promise<string | undefined> {
  const directory = await stat(cwd).catch(() => undefined);
  return directory?.isDirectory() ? undefined : 'that directory does not exist';
}

function subcommandOf(args: readonly string[]): string {
  const at = args.findIndex((word, i) => !word.startsWith('-') && args[i - 1] !== '-c' && args[i - 1] !== '-C');
  return args[at] ?? args.join(' ');
}
