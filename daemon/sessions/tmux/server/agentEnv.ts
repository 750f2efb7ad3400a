import { defined } from '../../../../schemas/defined.ts';
import { AGENT_VARIABLE, SESSION_DIRECTORY_VARIABLE } from '../../../../schemas/process/agentMark.ts';
import { absoluteSearchPath, NETWORK_VARIABLES } from '../../../../schemas/process/environment.ts';
import { addedVariables } from '../../../../schemas/repository/variables.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';

import type { Profile } from '../profile/profile.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that tmux and a shell need. Every pane can read them with `tmux show-environment -g`. */
const SERVER = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'TMUX_TMPDIR', 'TZ', 'LANG'],
  ...['LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  // A key on that server opens the dashboard, which needs the daemon's home and the person's editor.
  ...['DEVFLOW_HOME', 'EDITOR', 'VISUAL'],
];

/** Variables that any program needs to run as its user. An agent gets nothing else from the daemon's environment. */
const COMMON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMUX_TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...NETWORK_VARIABLES,
];

/** tmux itself sets these in its global environment. */
const SET_BY_TMUX = ['TERM', 'COLORTERM', 'PWD', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION'];

/** The environment of devflow's own tmux server, and of every tmux process that devflow starts for agents. */
export function serverEnvironment(env: Env): Record<string, string> {
  return pick(env, SERVER);
}

/**
 * Removes variables from devflow's server that an earlier version passed on: it passed the daemon's whole environment.
 */
export async function cleanServerEnvironment(runner: Runner, wanted: Env): Promise<void> {
  const unset = (await foreignVariables(runner, wanted)).map((name) => ['set-environment', '-gu', name] as const);
  if (unset.length > 0) await runner.run(unset, { idempotent: true });
}

export function agentEnvironment(
  env: Env,
  profile: Profile,
  configured: Env,
  session: { sessionDir: string; sessionId: string; env?: Record<string, string> | undefined },
): Record<string, string> {
  return {
    ...pick(env, [...COMMON, ...profile.passEnv]),
    ...addedVariables(session.env ?? {}, env.PATH),
    ...pick(configured, Object.keys(configured)),
    [SESSION_DIRECTORY_VARIABLE]: session.sessionDir,
    [AGENT_VARIABLE]: session.sessionId,
  };
}

/**
 * The environment of what starts a sandbox: an agent's, without what the settings of the repository added. An agent can be
 * behind that: it may write to a directory of their search path.
 */
export function environmentOutside(
  env: Env,
  added: Readonly<Record<string, string>>,
  parent: Env,
): Record<string, string> {
  const theirs = addedVariables(added, parent.PATH);
  const names = Object.keys(theirs).filter((name) => env[name] === theirs[name]);
  const before = names.map((name) => [name, COMMON.includes(name) ? parent[name] : undefined]);
  const outside: Env = { ...env, ...Object.fromEntries(before) };
  const { PATH } = outside;
  return defined({ ...outside, PATH: PATH === undefined ? PATH : absoluteSearchPath(PATH) }) as Record<string, string>;
}

/**
 * The variables that a pane inherits from the server and must not have. A user's server has their shell's environment.
 */
export async function variablesToUnset(runner: Runner, wanted: Env): Promise<string[]> {
  // An agent must not control the tmux server that it runs in.
  return [...new Set([...(await foreignVariables(runner, wanted)), 'TMUX', 'TMUX_PANE'])];
}

async function foreignVariables(runner: Runner, wanted: Env): Promise<string[]> {
  const lines = await runner.run([['show-environment', '-g']], { idempotent: true });
  const names = lines.map((line) => /^([A-Za-z_]\w*)=/.exec(line)?.[1] ?? '');
  return names.filter((name) => name !== '' && !(name in wanted) && !SET_BY_TMUX.includes(name));
}

function pick(env: Env, names: readonly string[]): Record<string, string> {
  const entries = names.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}
