import { homedir } from 'node:os';
import { join } from 'node:path';
import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import { defined } from '../../../schemas/defined.ts';
import type { RightsHook, RightsServer } from '../../../schemas/repository/programRights.ts';
import type { AgentState } from '../tmux/profile/evidence.ts';
import {
  CLEAR_KEYS,
  type HookEvent,
  type LaunchInput,
  type Profile,
  type Reading,
  type StateReading,
  TIMINGS,
} from '../tmux/profile/profile.ts';
import { textOr, wordsOf } from '../tmux/profile/words.ts';
import { claudePermissions, claudeTools } from './claudePermissions.ts';
import { QUESTION_HOOK, questionIn } from './claudeQuestion.ts';
import { readClaudeScreen, readClaudeTitle } from './claudeScreen.ts';
import { FAILURE_WORDS, FAILURES } from './claudeSigns.ts';
import { failureOf, limitOf } from './failureSigns.ts';

/**
 * Claude Code, measured with 2.1.197 and 2.1.332. devflow's settings file adds to the user's settings and never replaces
 * them.
 */
export const claude: Profile = {
  tried: ['2.1.197', '2.1.332'],
  conversationId: 'minted',
  passEnv: BACKEND_FACTS.claude.passEnv,
  clearKeys: CLEAR_KEYS,
  logIn: 'claude auth login',
  // 2.1.332 shows it on its screen after about ten seconds: another hint stands there first.
  logInCheck: { args: ['auth', 'status'], isMissing: isLogInMissing, shownWithinMs: 20_000 },
  timings: TIMINGS,
  places(env) {
    const home = env.HOME ?? homedir();
    const config = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
    const below = (...names: string[]) => names.map((name) => join(config, name));
    return {
      own: [config],
      read: below(
        'settings.json',
        'settings.local.json',
        'CLAUDE.md',
        'agents',
        'commands',
        'skills',
        'plugins',
        'hooks',
      ),
      shared: below('.credentials.json'),
      copied: env.CLAUDE_CONFIG_DIR === undefined ? [join(home, '.claude.json')] : below('.claude.json'),
    };
  },
  addendum: `Questions: ask with the tool AskUserQuestion where only a person can decide and a wrong guess would waste the work.
A person sees the question in devflow and answers it. Decide everything else yourself, and say in the artifact what you
assumed.`,

  launch(input) {
    const settings = join(input.sessionDir, 'claude-settings.json');
    const { model } = input.modelConfig;
    const { servers = [] } = input.rights ?? {};
    return {
      argv: [
        input.binaryPath,
        ...(input.resume ? ['--resume', conversation(input)] : ['--session-id', conversation(input)]),
        ...['--settings', settings, '--permission-mode', 'dontAsk', '--setting-sources', 'user'],
        '--strict-mcp-config',
        ...(servers.length > 0 ? ['--mcp-config', join(input.sessionDir, SERVERS)] : []),
        ...['--tools', claudeTools(input.permissionMode, input.rights?.rules)],
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
        ...(servers.length > 0 ? { [SERVERS]: serversText(servers) } : {}),
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
const SERVERS = 'claude-mcp.json';

/** It does not know what `backends.claude.args` may bring, so this only delays the first prompt. */
function isLogInMissing(said: string): boolean {
  return /"loggedIn":\s*false/.test(said);
}

export const CLAUDE_HOOKS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest'],
  ...['Stop', 'StopFailure', 'SessionEnd'],
];

function settingsText({ hookCommand, permissionMode, rights }: LaunchInput): string {
  const hooks = claudeHooks(hookCommand, rights?.hooks);
  const settings = {
    permissions: claudePermissions(permissionMode, rights),
    hooks: { ...hooks, PreToolUse: [...(hooks.PreToolUse ?? []), QUESTION_HOOK] },
    // A person may not be at the pane, so a question waits without a time limit.
    askUserQuestionTimeout: 'never',
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** The hooks of a settings file, in Claude's format: devflow's own, then those of the repository. */
export function claudeHooks(
  hookCommand: (event: string) => string,
  ofRepository: readonly RightsHook[] = [],
): Record<string, readonly unknown[]> {
  const events = [...new Set([...CLAUDE_HOOKS, ...ofRepository.map(({ event }) => event)])];
  const entries = events.map((event) => {
    const own = { hooks: [{ type: 'command', command: hookCommand(event), timeout: 5 }] };
    const theirs = ofRepository.filter((hook) => hook.event === event).map(groupOf);
    return [event, CLAUDE_HOOKS.includes(event) ? [own, ...theirs] : theirs];
  });
  return Object.fromEntries(entries);
}

function groupOf({ matcher, command, args, options }: RightsHook): Record<string, unknown> {
  return defined({ matcher, hooks: [defined({ type: 'command', command, args, ...options })] });
}

function serversText(servers: readonly RightsServer[]): string {
  const entries = servers.map(({ name, entry }) => [name, entry]);
  return `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 2)}\n`;
}

function conversation({ conversationId }: LaunchInput): string {
  if (conversationId === undefined) throw new TypeError('A conversation of Claude has its id from devflow.');
  return conversationId;
}

export function readClaudeHook({ name, at, data }: HookEvent): Reading | undefined {
  const tool = textOr(data.tool_name, 'a tool');
  switch (name) {
    case 'SessionStart':
      return { state: 'READY' };
    case 'Stop':
      return { state: 'READY', endsTurn: true, ...wordsOf(data.last_assistant_message) };
    case 'UserPromptSubmit':
      return { state: 'BUSY' };
    case 'PostToolUse':
      return { state: 'BUSY', tool };
    case 'PreToolUse': {
      // The state file says only that it waits. This hook comes first and has the words.
      const question = questionIn(data);
      return question === undefined ? { state: 'BUSY', tool } : { state: 'WAITING', detail: question, tool };
    }
    case 'PermissionRequest':
      return { state: 'WAITING', tool, detail: questionIn(data) ?? `permission for ${tool}` };
    case 'StopFailure':
      return readFailure(data, at);
    default:
      return undefined;
  }
}

/** Its last message is the sentence that the screen shows; an older version may not say it. */
function readFailure({ error, last_assistant_message: said }: HookEvent['data'], shownAt: number): Reading {
  const code = textOr(error, 'unknown');
  const sentence = typeof said === 'string' && said.trim() !== '' ? said.trim() : code;
  const state = FAILURES[code];
  if (state === 'QUOTA') return limitOf(sentence, shownAt, FAILURE_WORDS);
  return state ? { state, detail: sentence } : failureOf(sentence, shownAt, FAILURE_WORDS);
}

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
