import { z } from 'zod';
import { Backend, DatabaseMode } from '../enums.ts';
import { AUTO_ALLOWED, AutoGates } from '../gates/autoGates.ts';
import { AGENT_PROGRAMS, type AgentProgram, BACKENDS, SANDBOX_WORDS } from '../names.ts';
import { SandboxSetting } from '../sandbox.ts';
import { HOSTS, TEMPORAL } from './hostSettings.ts';
import { type DeclaredSetting, type DefaultPlaces, section, setting, settingsIn } from './setting.ts';
import { WEBHOOK } from './webhookSettings.ts';

const Milliseconds = z.int().positive();
const AbsolutePath = z.string().startsWith('/');
const MILLISECONDS = 'a whole number of milliseconds above 0';
const MILLISECONDS_OR_0 = 'a whole number of milliseconds, 0 or more';
const ABSOLUTE_PATH = 'an absolute path';
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The settings of one backend. `fake` has no variables, because it is always available. */
function backend(variables?: string) {
  return z.strictObject({
    enabled: setting(z.boolean(), {
      allowed: 'true or false',
      purpose: 'Whether agents of this kind may be used.',
      variable: variables && `${variables}_ENABLED`,
      byDefault: true,
    }),
    binaryPath: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: 'The program, by default the one of that name on `PATH`.',
      variable: variables && `${variables}_BINARY`,
    }),
    args: setting(z.array(z.string()), {
      allowed: 'a list of strings',
      purpose: 'Further arguments for the program.',
      byDefault: [],
    }),
    env: setting(z.record(z.string(), z.string()), {
      allowed: 'a map of names to strings',
      purpose:
        "Extra variables for the agent's environment, such as a base URL or a token; docs/backends.md lists which of your own variables it gets.",
      byDefault: {},
    }),
  });
}

function programs() {
  const entries = AGENT_PROGRAMS.map((id) => [id, backend(id.toUpperCase())] as const);
  return Object.fromEntries(entries) as Record<AgentProgram, ReturnType<typeof backend>>;
}

/**
 * Every setting of devflow: one entry has its schema, default, purpose and variable. Everything else about settings derives
 * from this table, also docs/config.md and .env.example.
 */
export const Settings = z.strictObject({
  workspaceRoot: setting(AbsolutePath, {
    allowed: ABSOLUTE_PATH,
    purpose:
      'Where devflow keeps the worktrees, artifacts, outputs and reports of runs; `~/` at the start is your home.',
    variable: 'WORKSPACE_ROOT',
    byDefault: ({ workspaceRoot }) => workspaceRoot,
  }),
  logLevel: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    allowed: 'one of trace, debug, info, warn, error, fatal, silent',
    purpose: 'How much the daemon writes to its log.',
    variable: 'LOG_LEVEL',
    byDefault: 'info',
  }),
  maxConcurrentRuns: setting(z.int().positive(), {
    allowed: 'a whole number above 0',
    purpose:
      'How many runs may be at work at once; others are queued, and runs that wait for you or for a usage limit do not count.',
    variable: 'MAX_CONCURRENT_RUNS',
    byDefault: 4,
  }),
  maxConcurrentAgents: setting(z.int().min(1).max(64), {
    allowed: 'a whole number from 1 to 64',
    purpose:
      'How many agents may work at once, over all runs; others wait for a free slot, and agents between two prompts need none.',
    variable: 'MAX_CONCURRENT_AGENTS',
    byDefault: 4,
  }),
  engine: setting(z.enum(['local', 'temporal']), {
    allowed: 'local (this machine alone) or temporal (a Temporal server, for several hosts)',
    purpose: 'What drives runs: this daemon alone, or a Temporal server, which needs `database.mode: external`.',
    variable: 'ENGINE',
    byDefault: 'local',
  }),
  temporal: TEMPORAL,
  hosts: HOSTS,
  database: section('Where devflow records everything.', {
    mode: setting(DatabaseMode, {
      allowed: `one of ${DatabaseMode.options.join(', ')}`,
      purpose:
        'Which Postgres to use: one that devflow starts itself (`embedded`), one in Docker (`compose`), or yours at `database.url` (`external`, which a URL alone also selects).',
      variable: 'DB',
      byDefault: 'embedded',
    }),
    url: setting(
      z
        .string()
        .regex(/^postgres(ql)?:\/\//)
        .optional(),
      {
        allowed: 'a URL that begins with postgres:// or postgresql://',
        purpose:
          'The address of your Postgres; with `database.mode: compose` it replaces the address in `docker-compose.yml`.',
        variable: 'DATABASE_URL',
      },
    ),
  }),
  backends: section(
    `The agents: \`<id>\` is one of ${BACKENDS.map((id) => `\`${id}\``).join(', ')}. [backends.md](backends.md) says how devflow starts each and what each may do. \`fake\` is always available and ignores these settings.`,
    { ...programs(), fake: backend() },
  ),
  defaults: section(
    'What `devflow run start` uses where neither an option nor a file of the repository says it; [repository.md](repository.md) has more.',
    {
      template: setting(z.string().min(1).optional(), {
        allowed: 'the name of a template, or name@version',
        purpose: 'The template of a run that names none; without it, the newest `quick-change`.',
      }),
      backends: setting(z.record(z.string(), Backend), {
        allowed: `a map of roles to ${BACKENDS.join(', ')}`,
        purpose: 'The agent program for a role, in all repositories.',
        byDefault: {},
      }),
      sandbox: setting(SandboxSetting.optional(), {
        allowed: `${SANDBOX_WORDS.join(', ')}, or a map with level, network, read and write`,
        purpose: 'The sandbox of agents in all repositories; a repository can only ask for a stronger one.',
      }),
    },
  ),
  gates: section('Your rules for gates; [usage.md](usage.md#rules-for-gates) has more.', {
    auto: setting(AutoGates, {
      allowed: AUTO_ALLOWED,
      purpose:
        'The gates that devflow passes by itself if all conditions of a rule are met, frozen into a run when it starts.',
      byDefault: [],
    }),
  }),
  tmux: section('Where agents run; [tmux.md](tmux.md) has more.', {
    binaryPath: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: 'The tmux program, by default the one on `PATH`.',
      variable: 'TMUX_BINARY',
    }),
    server: setting(z.enum(['own', 'user']), {
      allowed: "own (a tmux server of devflow's) or user (yours)",
      purpose:
        'The tmux server that agents run on: one that devflow starts and configures (`own`), or yours, which it does not configure (`user`).',
      variable: 'TMUX_SERVER',
      byDefault: 'own',
    }),
    socketName: setting(z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/), {
      allowed: 'up to 40 letters, digits, . _ and - (a path belongs in tmux.socketPath)',
      purpose:
        "The server's name, as in `tmux -L`; each `DEVFLOW_HOME` has its own default, and with `tmux.server: user` the default is the server that plain `tmux` uses.",
      variable: 'TMUX_SOCKET',
      byDefault: ({ tmuxSocketName }) => tmuxSocketName,
    }),
    socketPath: setting(AbsolutePath.optional(), {
      allowed: ABSOLUTE_PATH,
      purpose: "The path of your server's socket, as in `tmux -S`, instead of its name; only with `tmux.server: user`.",
      variable: 'TMUX_SOCKET_PATH',
    }),
  }),
  recovery: section(
    'How long devflow waits before it acts. `artifactTimeoutMs`, `idleTimeoutMs`, `approvalTimeoutMs` and `commandTimeoutMs` are frozen into a run when it starts, so a change affects later runs only.',
    {
      maxHungMs: setting(Milliseconds, {
        allowed: MILLISECONDS,
        purpose: 'How long a busy agent may show no progress before devflow treats it as hung and recovers it.',
        variable: 'MAX_HUNG_MS',
        byDefault: 20 * MINUTE,
      }),
      errorRetryMs: setting(Milliseconds, {
        allowed: MILLISECONDS,
        purpose:
          'How long after a turn that ended in an error devflow asks the agent again; after two retries it asks a person.',
        variable: 'ERROR_RETRY_MS',
        // By then the agent itself has retried for minutes.
        byDefault: 2 * MINUTE,
      }),
      artifactTimeoutMs: setting(Milliseconds, {
        allowed: MILLISECONDS,
        purpose:
          "How long an agent may take for its artifact before devflow recovers it and asks again, unless the template's phase sets another time.",
        variable: 'ARTIFACT_TIMEOUT_MS',
        byDefault: 30 * MINUTE,
      }),
      idleTimeoutMs: setting(Milliseconds, {
        allowed: MILLISECONDS,
        purpose:
          'How long after a turn that ended without the artifact devflow reminds the agent, once; then it asks a person.',
        variable: 'IDLE_TIMEOUT_MS',
        // An agent may have left work in the background and come back to it by then.
        byDefault: 5 * MINUTE,
      }),
      approvalTimeoutMs: setting(Milliseconds.nullable(), {
        allowed: `${MILLISECONDS}, or null for no limit`,
        purpose:
          'How long a gate waits for a decision before its run is paused; no gate is ever decided by time alone.',
        variable: 'APPROVAL_TIMEOUT_MS',
        byDefault: null,
      }),
      commandTimeoutMs: setting(Milliseconds, {
        allowed: MILLISECONDS,
        purpose:
          'How long a command of a run, such as its tests, may take before devflow stops it, unless the template sets another time.',
        variable: 'COMMAND_TIMEOUT_MS',
        byDefault: 30 * MINUTE,
      }),
      artifactDebounceMs: setting(z.int().nonnegative(), {
        allowed: MILLISECONDS_OR_0,
        purpose: 'How long an artifact file must stay unchanged before devflow reads it.',
        variable: 'ARTIFACT_DEBOUNCE_MS',
        byDefault: 500,
      }),
    },
  ),
  git: section('How devflow runs git in worktrees.', {
    filters: setting(z.array(z.string().regex(/^[A-Za-z0-9_.-]+$/)), {
      allowed: 'a list of names of letters, digits, . _ and -',
      purpose:
        'Filters, such as `lfs`, that git may run in worktrees, with the commands from your own git configuration; see [git.md](git.md).',
      byDefault: [],
    }),
  }),
  notify: section('How devflow calls you when you are not looking.', {
    command: setting(z.array(z.string()).min(1).optional(), {
      allowed: 'a list of strings: a program and its arguments',
      purpose:
        'A program that devflow runs each time a person is needed, without a shell, with a title and a text as further arguments.',
    }),
    tmux: setting(z.enum(['off', 'message', 'bell']), {
      allowed: 'one of off, message, bell',
      purpose:
        'A message or a bell on every terminal of the tmux servers that have the plugin, each time a person is needed; if nobody is attached, a message to the first client that attaches. `visual-bell` and `bell-action` of your tmux apply.',
      variable: 'NOTIFY_TMUX',
      byDefault: 'off',
    }),
    webhook: WEBHOOK,
  }),
  tui: section('The dashboard.', {
    theme: setting(z.enum(['auto', 'dark', 'light']), {
      allowed: 'one of auto, dark, light',
      purpose:
        'Colours of the dashboard. `auto` asks the terminal for its background (OSC 11), else uses `COLORFGBG`, else takes colours that are readable on both; in a popup, tmux answers from version 3.4 on, so set `dark` or `light` for an older one.',
      variable: 'TUI_THEME',
      byDefault: 'auto',
    }),
  }),
  fake: section('The agent without a model, for rehearsals and tests.', {
    delayMs: setting(z.int().nonnegative(), {
      allowed: MILLISECONDS_OR_0,
      purpose: 'How long the `fake` agent takes for each piece of work.',
      variable: 'FAKE_DELAY_MS',
      byDefault: 50,
    }),
  }),
});
export type Settings = z.infer<typeof Settings>;

/** All settings, in the order of the table. */
export const SETTINGS: readonly DeclaredSetting[] = settingsIn(Settings);

/** The settings that have a flat name, by that name. */
export const VARIABLES: ReadonlyMap<string, DeclaredSetting> = new Map(
  SETTINGS.flatMap((each) => (each.variable === undefined ? [] : [[each.variable, each] as const])),
);

/** The defaults of all settings. */
export function defaultSettings(places: DefaultPlaces): Settings {
  const defaults: Record<string, unknown> = {};
  for (const { path, byDefault } of SETTINGS) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    let at = defaults;
    for (const key of keys) {
      at[key] ??= {};
      at = at[key] as Record<string, unknown>;
    }
    if (byDefault !== undefined)
      at[last] = structuredClone(typeof byDefault === 'function' ? byDefault(places) : byDefault);
  }
  return defaults as Settings;
}
