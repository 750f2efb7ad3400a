import type { Runner } from '../../../tmux/tmux.ts';
import { DIRECTORY_VARIABLE } from './processGroup.ts';
import type { Profile } from './profile.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What any program needs to run as its user; nothing else of the daemon's environment reaches an agent or its server. */
const COMMON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMUX_TMPDIR'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

/** The environment of devflow's own tmux server, and of every tmux that devflow starts. */
export function serverEnvironment(env: Env): Record<string, string> {
  return pick(env, COMMON);
}

export function agentEnvironment(
  env: Env,
  profile: Profile,
  configured: Env,
  session: { sessionDir: string },
): Record<string, string> {
  return {
    ...pick(env, [...COMMON, ...profile.passEnv]),
    ...pick(configured, Object.keys(configured)),
    [DIRECTORY_VARIABLE]: session.sessionDir,
  };
}

/** What a pane would inherit from the server and is not to have. On a user's server that is their shell's environment. */
export async function strangeVariables(runner: Runner, wanted: Env): Promise<string[]> {
  const lines = await runner.run([['show-environment', '-g']], { idempotent: true });
  const names = lines.map((line) => /^([A-Za-z_]\w*)=/.exec(line)?.[1] ?? '');
  const foreign = names.filter((name) => name !== '' && !(name in wanted) && !KEPT.includes(name));
  // An agent has no business with the server that it runs in.
  return [...new Set([...foreign, 'TMUX', 'TMUX_PANE'])];
}

const KEPT = ['TERM', 'COLORTERM', 'PWD', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION'];

function pick(env: Env, names: readonly string[]): Record<string, string> {
  const entries = names.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}
