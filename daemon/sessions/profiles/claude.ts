import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentState } from '../tmux/profile/evidence.ts';
import {
  type HookEvent,
  type LaunchInput,
  type Profile,
  type Reading,
  type StateReading,
  TIMINGS,
} from '../tmux/profile/profile.ts';
import { composerBetweenRules, plain, type Screen } from '../tmux/profile/screen.ts';
import { CLAUDE_TOOLS, claudePermissions } from './claudePermissions.ts';
import { resetTime } from './resetTime.ts';

/** Claude Code, measured with 2.1.197. devflow's settings file adds to the user's settings and never replaces them. */
export const claude: Profile = {
  id: 'claude',
  conversationId: 'minted',
  passEnv: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
  clearKeys: ['C-c'],
  logIn: 'claude auth login',
  timings: TIMINGS,

  launch(input) {
    const settings = join(input.sessionDir, 'claude-settings.json');
    const { model } = input.modelConfig;
    return {
      argv: [
        input.binaryPath,
        ...(input.resume ? ['--resume', conversation(input)] : ['--session-id', conversation(input)]),
        ...['--settings', settings, '--permission-mode', 'dontAsk', '--setting-sources', 'user'],
        ...['--strict-mcp-config', '--tools', CLAUDE_TOOLS[input.permissionMode]],
        ...(typeof model === 'string' ? ['--model', model] : []),
        ...(input.prelude ? ['--append-system-prompt-file', join(input.sessionDir, SYSTEM)] : []),
        ...input.args,
      ],
      env: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      },
      files: {
        'claude-settings.json': settingsText(input),
        ...(input.prelude ? { [SYSTEM]: `${input.prelude}\n` } : {}),
      },
    };
  },

  readHook: readClaudeHook,
  stateFile: {
    directory: (env) => join(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude'), 'sessions'),
    read: readClaudeState,
  },
  readTitle: readClaudeTitle,
  readScreen: readClaudeScreen,
};

/** A file, because an argument may have 128 KiB at most. A resumed conversation keeps the text that it began with. */
const SYSTEM = 'claude-system.md';

export const CLAUDE_HOOKS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest'],
  ...['Stop', 'StopFailure', 'SessionEnd'],
];

function settingsText({ hookCommand, permissionMode }: LaunchInput): string {
  const permissions = claudePermissions(permissionMode);
  return `${JSON.stringify({ permissions, hooks: claudeHooks(hookCommand) }, null, 2)}\n`;
}

/** The hooks of a settings file, in Claude's format. */
export function claudeHooks(hookCommand: (event: string) => string): Record<string, unknown> {
  const entries = CLAUDE_HOOKS.map((event) => [
    event,
    [{ hooks: [{ type: 'command', command: hookCommand(event), timeout: 5 }] }],
  ]);
  return Object.fromEntries(entries);
}

function conversation({ conversationId }: LaunchInput): string {
  if (conversationId === undefined) throw new TypeError('A conversation of Claude has its id from devflow.');
  return conversationId;
}

export function readClaudeHook({ name, data }: HookEvent): Reading | undefined {
  switch (name) {
    case 'SessionStart':
      return { state: 'READY' };
    case 'Stop':
      return { state: 'READY', endsTurn: true };
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
      return { state: 'BUSY' };
    case 'PermissionRequest':
      return { state: 'WAITING', detail: questionIn(data) ?? `permission for ${String(data.tool_name ?? 'a tool')}` };
    case 'StopFailure':
      return { state: failures[String(data.error)] ?? 'ERROR', detail: String(data.error ?? 'unknown') };
    default:
      return undefined;
  }
}

/** The agent asks its own questions through a permission request. */
function questionIn({ tool_name: tool, tool_input: input }: HookEvent['data']): string | undefined {
  if (tool !== 'AskUserQuestion') return undefined;
  const { questions } = (input ?? {}) as { questions?: { question?: unknown }[] };
  return `question: ${questions?.[0]?.question ?? 'it asks something'}`;
}

const failures: Readonly<Record<string, AgentState>> = {
  rate_limit: 'QUOTA',
  billing_error: 'QUOTA',
  authentication: 'LOGIN',
  authentication_failed: 'LOGIN',
};

export function readClaudeState(data: unknown, conversationId: string): StateReading | undefined {
  const { sessionId, pid, procStart, status, waitingFor, updatedAt } = (data ?? {}) as Record<string, unknown>;
  const state = typeof status === 'string' ? statuses[status] : undefined;
  if (sessionId !== conversationId || typeof pid !== 'number' || !state) return undefined;
  return {
    pid,
    state,
    at: typeof updatedAt === 'number' ? updatedAt : 0,
    ...(procStart === undefined ? {} : { procStart: String(procStart) }),
    ...(typeof waitingFor === 'string' ? { detail: waitingFor } : {}),
  };
}

const statuses: Readonly<Record<string, AgentState>> = { idle: 'READY', busy: 'BUSY', waiting: 'WAITING' };

export function readClaudeTitle(title: string): AgentState | undefined {
  if (/^[\u2800-\u28ff]/.test(title)) return 'BUSY';
  return title.startsWith('✳') ? 'READY' : undefined;
}

const DIALOGS: readonly (readonly [RegExp, string])[] = [
  [/Quick safety check/, 'trust'],
  [/Select login method|Not logged in/, 'login'],
  [/Do you want to /, 'permission'],
  [/Enter to select/, 'question'],
  [/^\s*❯ 1\. /m, 'choice'],
];

/**
 * Busy: `✢ Orchestrating…`, after some seconds `* Orchestrating… (5s · ↓ 58 tokens)`. Claude retries a failed request
 * up to ten times and shows `✻ API error · Retrying in 4s · attempt 4/10`. A finished turn shows `✻ Crunched for 3s`.
 */
const WORKING = /^[·✢*✳✶✻✽] (?:[^…]+…(?: |$)|API error · Retrying)/;

export function readClaudeScreen(screen: Screen, shownAt: number): ReturnType<Profile['readScreen']> {
  const rows = screen.lines.map(plain);
  const text = rows.join('\n');
  const dialog = DIALOGS.find(([pattern]) => pattern.test(text))?.[1];
  // This question stands between two rules, like the composer.
  if (/^Enter to select/.test(rows.findLast((row) => row.trim() !== '') ?? '')) return { dialog: 'question' };
  // A dialog's marked choice begins like the composer, so a dialog's rows must not count as one.
  const composer = composerBetweenRules(screen, /^[❯›>]\s?/);
  if (composer === undefined) return dialog === undefined ? {} : { dialog };
  if (rows.some((row) => WORKING.test(row))) return { composer, state: 'BUSY' };
  const limit = rows.findLast((row) => /hit your .*limit/.test(row));
  if (limit) return { composer, state: 'QUOTA', detail: limit.trim(), until: resetTime(limit, shownAt) };
  // Its state file says idle here too, but a prompt would fail.
  const hints = rows.filter((row) => row.trim() !== '').slice(-3);
  if (hints.some((row) => /Not logged in · Run \/login\s*$/.test(row)))
    return { composer, state: 'LOGIN', detail: 'Not logged in · Run /login' };
  return { composer, state: 'READY' };
}
