/**
 * Set in the environment of every agent to the id of its session. Nothing that a person starts has it: it is given to the
 * agent's program alone, and not to the tmux session that shows it.
 */
export const AGENT_VARIABLE = 'DEVFLOW_AGENT';

/** The same of devflow's directory for the session, so that whatever an agent started can be told by it. */
export const SESSION_DIRECTORY_VARIABLE = 'DEVFLOW_SESSION_DIR';
