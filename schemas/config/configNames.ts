type Reading = 'text' | 'number' | 'boolean';

/**
 * The flat names of settings: bare in devflow's env files, with `DEVFLOW_` in the process environment, and as
 * upper-case top-level keys of config.yaml. What has no flat name is set in config.yaml alone.
 */
export const FLAT_NAMES = {
  DATABASE_URL: { path: 'database.url', reading: 'text' },
  DB: { path: 'database.mode', reading: 'text' },
  WORKSPACE_ROOT: { path: 'workspaceRoot', reading: 'text' },
  LOG_LEVEL: { path: 'logLevel', reading: 'text' },
  MAX_CONCURRENT_RUNS: { path: 'maxConcurrentRuns', reading: 'number' },
  MAX_HUNG_MS: { path: 'recovery.maxHungMs', reading: 'number' },
  ERROR_RETRY_MS: { path: 'recovery.errorRetryMs', reading: 'number' },
  ARTIFACT_TIMEOUT_MS: { path: 'recovery.artifactTimeoutMs', reading: 'number' },
  IDLE_TIMEOUT_MS: { path: 'recovery.idleTimeoutMs', reading: 'number' },
  APPROVAL_TIMEOUT_MS: { path: 'recovery.approvalTimeoutMs', reading: 'number' },
  COMMAND_TIMEOUT_MS: { path: 'recovery.commandTimeoutMs', reading: 'number' },
  ARTIFACT_DEBOUNCE_MS: { path: 'recovery.artifactDebounceMs', reading: 'number' },
  TUI_THEME: { path: 'tui.theme', reading: 'text' },
  NOTIFY_TMUX: { path: 'notify.tmux', reading: 'text' },
  FAKE_DELAY_MS: { path: 'fake.delayMs', reading: 'number' },
  TMUX_SERVER: { path: 'tmux.server', reading: 'text' },
  TMUX_SOCKET: { path: 'tmux.socketName', reading: 'text' },
  TMUX_SOCKET_PATH: { path: 'tmux.socketPath', reading: 'text' },
  TMUX_BINARY: { path: 'tmux.binaryPath', reading: 'text' },
  CODEX_ENABLED: { path: 'backends.codex.enabled', reading: 'boolean' },
  CODEX_BINARY: { path: 'backends.codex.binaryPath', reading: 'text' },
  CLAUDE_ENABLED: { path: 'backends.claude.enabled', reading: 'boolean' },
  CLAUDE_BINARY: { path: 'backends.claude.binaryPath', reading: 'text' },
  GEMINI_ENABLED: { path: 'backends.gemini.enabled', reading: 'boolean' },
  GEMINI_BINARY: { path: 'backends.gemini.binaryPath', reading: 'text' },
  OPENCODE_ENABLED: { path: 'backends.opencode.enabled', reading: 'boolean' },
  OPENCODE_BINARY: { path: 'backends.opencode.binaryPath', reading: 'text' },
} as const satisfies Record<string, { path: string; reading: Reading }>;

export type FlatName = keyof typeof FLAT_NAMES;

export function isFlatName(name: string): name is FlatName {
  return Object.hasOwn(FLAT_NAMES, name);
}

/** `DEVFLOW_` names that are not settings: they say where, or belong to a session, a test or the launcher. */
const RESERVED = new Set([
  'DEVFLOW_HOME',
  'DEVFLOW_AGENT',
  'DEVFLOW_FAULT',
  'DEVFLOW_NODE',
  'DEVFLOW_BIN',
  'DEVFLOW_PROBE',
]);
const RESERVED_PREFIXES = ['DEVFLOW_AGENT_', 'DEVFLOW_INTERNAL_', 'DEVFLOW_RUN', 'DEVFLOW_SESSION', 'DEVFLOW_TEST_'];

export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/**
 * The value that a text stands for. A text that is no number or boolean stays a text, and is then refused by the
 * settings' schema with a sentence that says what is allowed.
 */
export function readFlat(name: FlatName, text: string): unknown {
  const { reading } = FLAT_NAMES[name];
  if (reading === 'number') {
    if (/^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
    return name === 'APPROVAL_TIMEOUT_MS' && text === 'null' ? null : text;
  }
  if (reading === 'boolean') return ({ true: true, '1': true, false: false, '0': false } as const)[text] ?? text;
  return text;
}
