import { BACKEND_FACTS, PROGRAMS_BY_NAME } from '../backends/backendFacts.ts';

/** Variables with one purpose. */
export interface VariableGroup {
  readonly names: readonly string[];
  /** One sentence. */
  readonly purpose: string;
}

/**
 * Every variable that devflow reads from the environment and that is no setting, by topic. `.env.example` is generated from
 * this table and the settings; a test compares it with the sources.
 */
export const ENVIRONMENT: Readonly<Record<string, readonly VariableGroup[]>> = {
  Directories: [
    {
      names: ['DEVFLOW_HOME'],
      purpose: 'One directory for everything. Each has its own daemon, database and tmux server.',
    },
    {
      names: ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
      purpose: 'Where devflow keeps its files without DEVFLOW_HOME.',
    },
    { names: ['TMPDIR'], purpose: 'Temporary files.' },
    { names: ['TMUX_TMPDIR'], purpose: 'Where tmux keeps its sockets.' },
  ],
  Programs: [
    { names: ['DEVFLOW_NODE'], purpose: 'The Node that runs devflow, instead of the one that npm installed with it.' },
    { names: ['PATH'], purpose: 'Where devflow looks for tmux, git and the agents. It drops relative entries.' },
    {
      names: ['VISUAL', 'EDITOR'],
      purpose: 'Your editor, for requirements and comments and for `o` in the dashboard. The first that is set counts.',
    },
    { names: ['GIT_PAGER', 'PAGER'], purpose: "Your pager. Between the two, devflow takes git's core.pager." },
    { names: ['SHELL'], purpose: 'The shell that `!` in the dashboard starts.' },
    { names: ['USER', 'LOGNAME'], purpose: 'Your name. devflow passes it on to agents and commands.' },
  ],
  'Terminal and language': [
    { names: ['NO_COLOR'], purpose: 'Any value: no colours.' },
    { names: ['FORCE_COLOR'], purpose: 'Colours also where the output is no terminal; 0 for none.' },
    { names: ['TERM', 'COLORTERM'], purpose: 'What the terminal can do.' },
    { names: ['COLORFGBG'], purpose: 'The background of the terminal, where it does not answer when asked.' },
    {
      names: ['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_COLLATE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME'],
      purpose: 'Language and character set. With UTF-8 the dashboard draws lines and signs, else ASCII.',
    },
    { names: ['TZ'], purpose: 'The time zone in which devflow shows times.' },
    { names: ['TMUX', 'TMUX_PANE'], purpose: 'tmux sets them: devflow sees from them in which pane it runs.' },
    { names: ['CI'], purpose: 'Any value: the demo opens no dashboard.' },
  ],
  git: [
    {
      names: [
        'GIT_CONFIG_GLOBAL',
        'GIT_CONFIG_SYSTEM',
        'GIT_CONFIG_NOSYSTEM',
        'GIT_CEILING_DIRECTORIES',
        'GIT_EXEC_PATH',
      ],
      purpose: "As for git itself. devflow drops every other GIT_ variable from git's environment.",
    },
  ],
  'Network, for agents and commands': [
    {
      names: ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
      purpose: 'Passed on to agents and commands, also in lower case.',
    },
    { names: ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'], purpose: 'Passed on to agents and commands.' },
  ],
  'Log-ins and endpoints of agents': passedVariables(),
  'Set by devflow itself': [
    {
      names: ['DEVFLOW_AGENT', 'DEVFLOW_SESSION_DIR'],
      purpose: "In an agent's pane: its session. A program that has it may not decide.",
    },
    {
      names: ['DEVFLOW_INTERNAL_COMMAND'],
      purpose:
        'In a command that devflow runs: where its output lies. What has it may not decide, and devflow ends it.',
    },
    { names: ['DEVFLOW_INTERNAL_TMUX_CLIENT'], purpose: 'In a popup: the tmux client that opened it.' },
    { names: ['DEVFLOW_INTERNAL_OLD_FRAME'], purpose: 'In a popup: the launcher shows the last screen already.' },
  ],
  'For tests': [
    { names: ['DEVFLOW_FAULT'], purpose: 'Ends the daemon at a named crash point.' },
    { names: ['DEVFLOW_INTERNAL_CACHE'], purpose: "Where Node's compile cache lies." },
    {
      names: ['DEVFLOW_TEST_PROFILE', 'SCRIPTED', 'SCRIPTED_CONFIG_DIR', 'SCRIPTED_FIXTURES'],
      purpose: 'Runs a scripted program in place of every agent.',
    },
  ],
};

/** Each variable of an agent's program once, at the first program that gets it. */
function passedVariables(): VariableGroup[] {
  const takersOf = (name: string) => PROGRAMS_BY_NAME.filter((id) => BACKEND_FACTS[id].passEnv.includes(name));
  return PROGRAMS_BY_NAME.map((id) => {
    const { title, passEnv } = BACKEND_FACTS[id];
    const names = passEnv.filter((name) => takersOf(name)[0] === id);
    const shared = names.flatMap((name) => {
      const [, ...others] = takersOf(name).map((each) => BACKEND_FACTS[each].title);
      return others.length === 0 ? [] : [`${name} goes to ${others.join(', ')} too.`];
    });
    return { names, purpose: [`Passed on to ${title}.`, ...shared].join(' ') };
  });
}
