import { Backend } from '../enums.ts';
import type { Settings } from './config.ts';

/** A section is an object with known keys; lists, and maps from any name, are values. */
type PathOf<K extends string, V> = V extends readonly unknown[]
  ? K
  : V extends object
    ? string extends keyof V
      ? K
      : `${K}.${LeafPath<V>}`
    : K;
type LeafPath<T> = { [K in keyof T & string]-?: PathOf<K, NonNullable<T[K]>> }[keyof T & string];

/** Each setting by its dotted path; those of all backends are the same and stand once. */
export type SettingPath =
  | LeafPath<Omit<Settings, 'backends'>>
  | `backends.<id>.${LeafPath<Settings['backends'][Backend]>}`;

/** What each setting is for, in one sentence of Markdown; a setting without one does not compile. */
export const PURPOSES: Readonly<Record<SettingPath, string>> = {
  workspaceRoot:
    'Where runs keep their worktrees, artifacts, outputs and reports; `~/` at its beginning is your home directory.',
  logLevel: 'How much the daemon writes to its log.',
  maxConcurrentRuns: 'How many runs may be open at once, those that wait included; one more is refused.',
  'database.mode':
    'Which Postgres: one that devflow starts from npm (`embedded`), one in Docker (`compose`), or yours at `database.url` (`external`, which a URL alone also means).',
  'database.url':
    'Where your Postgres is; with `database.mode: compose`, what is connected to instead of the address in `docker-compose.yml`.',
  'backends.<id>.enabled': 'Whether agents of this kind may be used.',
  'backends.<id>.binaryPath': 'The program; without it the one of that name on `PATH`.',
  'backends.<id>.args': 'Further arguments that the program is started with.',
  'backends.<id>.env':
    "Extra variables for the agent's environment, such as a base URL or a token; of your own environment it gets only those in docs/backends.md.",
  'tmux.binaryPath': 'The tmux program; without it the one on `PATH`.',
  'tmux.server':
    'Where agents live: on a tmux server that devflow starts and configures, or on one of yours, to which it does neither.',
  'tmux.socketName':
    "The server's name, as in `tmux -L`; every `DEVFLOW_HOME` has a default of its own, and with `tmux.server: user` it is the server that `tmux` alone finds.",
  'tmux.socketPath':
    "The path of your server's socket, as in `tmux -S`, instead of its name; only with `tmux.server: user`.",
  'recovery.maxHungMs': 'For so long a busy agent may show no progress; then it counts as hung and is recovered.',
  'recovery.errorRetryMs':
    'So long after a turn that ended in an error an agent is asked again, twice; then a person is asked.',
  'recovery.artifactTimeoutMs':
    "So long an agent has for its artifact, unless the template's phase says otherwise; then it is recovered and asked again.",
  'recovery.idleTimeoutMs': 'So long after a turn that ended without the artifact an agent is asked again.',
  'recovery.approvalTimeoutMs':
    'So long a gate waits for a decision before its run is paused; time alone never decides a gate.',
  'recovery.commandTimeoutMs':
    'So long a command of a run, such as its tests, may take before it is stopped, unless the template says otherwise.',
  'recovery.artifactDebounceMs': 'So long an artifact file must have been left unchanged before it is read.',
  'git.filters':
    'Filters, such as `lfs`, that git may run in worktrees, with the commands of your own git configuration; see [git.md](git.md).',
  'notify.command':
    'A program that is run, without a shell and with a title and a text appended, each time a person is needed.',
  'notify.tmux':
    'A message or a bell on every terminal of the tmux servers that have the plugin, each time a person is needed; where nobody is attached, a message to the first who comes. `visual-bell` and `bell-action` of your tmux hold.',
  'tui.theme':
    'Colours of the dashboard. `auto` asks the terminal for its background (OSC 11), else goes by `COLORFGBG`, else takes colours that can be read on both. tmux answers in a popup from 3.4 on: say `dark` or `light` for an older one.',
  'fake.delayMs': 'So long the `fake` agent takes for a piece of work.',
};

/** What is worth knowing of a section before its settings. */
export const SECTIONS: Readonly<Record<Exclude<keyof Settings, SettingPath>, string>> = {
  database: 'Where everything is recorded.',
  backends: `The agents: \`<id>\` is one of ${Backend.options.map((id) => `\`${id}\``).join(', ')}. [backends.md](backends.md) says how each is started and what it may do. \`fake\` is always there and reads none of these.`,
  tmux: 'Where agents live; [README](../README.md#where-things-are) has more of it.',
  recovery:
    'How long what is waited for. `artifactTimeoutMs`, `idleTimeoutMs`, `approvalTimeoutMs` and `commandTimeoutMs` are frozen into a run when it starts: a change counts for later runs.',
  git: 'How devflow runs git in worktrees.',
  notify: 'How you hear that you are needed when you do not look.',
  tui: 'The dashboard.',
  fake: 'The agent without a model, for rehearsals and tests.',
};
