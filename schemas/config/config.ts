import { z } from 'zod';
import { type Backend, DatabaseMode } from '../enums.ts';

/**
 * The settings. The description of a leaf says what is allowed: it ends the sentence
 * that a wrong value gets. What each is for stands in `PURPOSES`. Defaults stand in `defaultSettings`, so that every value
 * has a source. `npm run generate` makes docs/config.md of all three.
 */
const Milliseconds = z.int().positive().describe('a whole number of milliseconds above 0');
const AbsolutePath = z.string().startsWith('/').describe('an absolute path');

const BackendSettings = z.strictObject({
  enabled: z.boolean().describe('true or false'),
  binaryPath: AbsolutePath.optional(),
  args: z.array(z.string()).describe('a list of strings'),
  env: z.record(z.string(), z.string()).describe('a map of names to strings'),
});

export const Settings = z.strictObject({
  workspaceRoot: AbsolutePath,
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .describe('one of trace, debug, info, warn, error, fatal, silent'),
  maxConcurrentRuns: z.int().positive().describe('a whole number above 0'),
  database: z.strictObject({
    mode: DatabaseMode.describe(`one of ${DatabaseMode.options.join(', ')}`),
    url: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .describe('a URL that begins with postgres:// or postgresql://')
      .optional(),
  }),
  backends: z.strictObject({
    codex: BackendSettings,
    claude: BackendSettings,
    gemini: BackendSettings,
    opencode: BackendSettings,
    fake: BackendSettings,
  } satisfies Record<Backend, typeof BackendSettings>),
  tmux: z.strictObject({
    binaryPath: AbsolutePath.optional(),
    server: z.enum(['own', 'user']).describe("own (a tmux server of devflow's) or user (yours)"),
    socketName: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,40}$/)
      .describe('up to 40 letters, digits, . _ and - (a path belongs in tmux.socketPath)'),
    socketPath: AbsolutePath.optional(),
  }),
  recovery: z.strictObject({
    maxHungMs: Milliseconds,
    errorRetryMs: Milliseconds,
    artifactTimeoutMs: Milliseconds,
    idleTimeoutMs: Milliseconds,
    approvalTimeoutMs: Milliseconds.nullable().describe('a whole number of milliseconds above 0, or null for no limit'),
    commandTimeoutMs: Milliseconds,
    artifactDebounceMs: z.int().nonnegative().describe('a whole number of milliseconds, 0 or more'),
  }),
  git: z.strictObject({
    filters: z.array(z.string().regex(/^[A-Za-z0-9_.-]+$/)).describe('a list of names of letters, digits, . _ and -'),
  }),
  notify: z.strictObject({
    command: z.array(z.string()).min(1).describe('a list of strings: a program and its arguments').optional(),
    tmux: z.enum(['off', 'message', 'bell']).describe('one of off, message, bell'),
  }),
  tui: z.strictObject({ theme: z.enum(['auto', 'dark', 'light']).describe('one of auto, dark, light') }),
  fake: z.strictObject({ delayMs: z.int().nonnegative().describe('a whole number of milliseconds, 0 or more') }),
});
export type Settings = z.infer<typeof Settings>;

/** A backend as binding sees it: never PATH itself, only this. */
export interface BackendConfig {
  enabled: boolean;
  /** Enabled, and its binary was found when the process started. `fake` needs none. */
  available: boolean;
  binaryPath?: string;
  /** Why it is not available, for a person. */
  reason?: string;
  args: string[];
  env: Record<string, string>;
}

/** Where a value came from: a file's path, `environment`, or `default`; and the key as written there. */
export interface SettingSource {
  from: string;
  key: string;
}

/** The settings of this process; frozen, read once at its start. */
export type Config = Readonly<Omit<Settings, 'backends'>> & {
  readonly backends: Readonly<Record<Backend, BackendConfig>>;
  /** By dotted path, e.g. `recovery.artifactTimeoutMs`. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** Names such as DATABASE_URL that the process environment has without `DEVFLOW_`, and that were ignored. */
  readonly unprefixed: readonly string[];
};

/** What holds where nothing is said. */
export function defaultSettings(places: { workspaceRoot: string; tmuxSocketName: string }): Settings {
  const backend = () => ({ enabled: true, args: [], env: {} });
  return {
    workspaceRoot: places.workspaceRoot,
    logLevel: 'info',
    maxConcurrentRuns: 4,
    database: { mode: 'embedded' },
    backends: { codex: backend(), claude: backend(), gemini: backend(), opencode: backend(), fake: backend() },
    tmux: { server: 'own', socketName: places.tmuxSocketName },
    recovery: {
      maxHungMs: 20 * 60_000,
      // The agents themselves have tried again for minutes by then.
      errorRetryMs: 2 * 60_000,
      artifactTimeoutMs: 30 * 60_000,
      // Longer than most of what an agent may have left running in the background, and comes back to.
      idleTimeoutMs: 5 * 60_000,
      approvalTimeoutMs: null,
      commandTimeoutMs: 30 * 60_000,
      artifactDebounceMs: 500,
    },
    git: { filters: [] },
    notify: { tmux: 'off' },
    tui: { theme: 'auto' },
    fake: { delayMs: 50 },
  };
}
