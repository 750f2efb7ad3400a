import { stat } from 'node:fs/promises';
import { execa } from 'execa';
import { DevflowError } from '../../schemas/errors.ts';
import { assertAllowed } from './policy.ts';

export interface GitOptions {
  /** Only reads: takes no optional locks, so it never rewrites an index that somebody else is using. */
  read?: boolean;
  /** Text for standard input; without it there is none. */
  input?: string;
  /** Milliseconds; default two minutes. */
  timeoutMs?: number;
  /** Exit codes that are answers, not failures. Default only 0. */
  accept?: readonly number[];
  /** Characters of output to keep; more ends git and sets `truncated`. Default 64 Mi, where more is a failure. */
  cap?: number;
}

export interface GitOutput {
  stdout: string;
  exitCode: number;
  truncated: boolean;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_CAP = 64 * 1024 * 1024;

/**
 * Variables of git that a user sets on purpose. The others (GIT_DIR, GIT_INDEX_FILE, GIT_AUTHOR_NAME …) are left over
 * from a hook or a rebase that started the daemon, and would point git at another repository.
 */
const KEPT = new Set([
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_EXEC_PATH', 'GIT_CEILING_DIRECTORIES'],
  ...['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO'],
]);

/**
 * Runs git in `cwd` and returns what it printed, without the last newline. Throws git_failed with git's own sentence,
 * destructive_command_blocked or secret_access_blocked.
 */
export async function runGit(
  cwd: string,
  args: readonly string[],
  options: GitOptions & { runId?: string } = {},
): Promise<GitOutput> {
  assertAllowed(['git', ...args]);
  const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const result = await execa('git', args, {
    cwd,
    env: gitEnvironment(options.read === true),
    extendEnv: false,
    timeout,
    maxBuffer: options.cap ?? DEFAULT_CAP,
    reject: false,
    ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
  });
  const truncated = result.isMaxBuffer && options.cap !== undefined;
  const exitCode = result.exitCode ?? -1;
  if (truncated || (options.accept ?? [0]).includes(exitCode)) return { stdout: result.stdout, exitCode, truncated };

  const reason = result.timedOut
    ? `it took longer than ${timeout / 1000} s`
    : (sentenceOf(result.stderr) ?? (await whyNotStarted(cwd)) ?? result.shortMessage ?? 'it gave no reason');
  throw new DevflowError('git_failed', `git ${subcommandOf(args)} failed in ${cwd}: ${reason}`, {
    runId: options.runId,
    data: { argv: ['git', ...args], exitCode: result.exitCode ?? null, stderr: result.stderr?.slice(-4000) ?? '' },
  });
}

function gitEnvironment(read: boolean): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith('GIT_') || KEPT.has(name)) env[name] = value;
  }
  env.GIT_TERMINAL_PROMPT = '0';
  env.LC_ALL = 'C';
  if (read) env.GIT_OPTIONAL_LOCKS = '0';
  return env;
}

/** The line of stderr that says it: the last one marked fatal or error, else the last one. */
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
