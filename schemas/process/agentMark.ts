/**
 * Every agent's environment has its session id here. Programs of a person do not: devflow sets it only for the agent's
 * program, not for the tmux session.
 */
export const AGENT_VARIABLE = 'DEVFLOW_AGENT';

/** devflow's directory for the session. It identifies every program that the agent started. */
export const SESSION_DIRECTORY_VARIABLE = 'DEVFLOW_SESSION_DIR';

/**
 * Every command that devflow runs has the common prefix of its files here: `<directory>/<command id>`. It identifies every
 * program that the command started.
 */
export const COMMAND_VARIABLE = 'DEVFLOW_INTERNAL_COMMAND';

export const MARKS: readonly string[] = [AGENT_VARIABLE, SESSION_DIRECTORY_VARIABLE, COMMAND_VARIABLE];

/**
 * True if an agent or a command of some devflow has this environment. An agent of an earlier version has only a
 * directory.
 */
export function hasMark(env: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((name) => env[name]);
}
