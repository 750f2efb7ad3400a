import { homedir } from 'node:os';
import { join } from 'node:path';
import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import {
  CLEAR_KEYS,
  type HookEvent,
  type LaunchInput,
  type Profile,
  type Reading,
  TIMINGS,
} from '../tmux/profile/profile.ts';
import { plain, type Screen, written } from '../tmux/profile/screen.ts';
import { textOr, wordsOf } from '../tmux/profile/words.ts';
import { codexHooks } from './codexHooks.ts';
import { readRolloutLine } from './codexRollout.ts';
import { DIALOGS, FAILURE_WORDS, HOLDING, NO_FAILURE, WORKING, WORKING_TITLE } from './codexSigns.ts';
import { type Failure, failureOf } from './failureSigns.ts';
import { SECRET_DIRECTORIES } from './forbidden.ts';
import { tomlText, toToml } from './toml.ts';

/** Codex, measured with 0.169.0. All settings are flags (`-c`), so that no file of the user is touched. */
export const codex: Profile = {
  tried: ['0.169.0', '0.171.0'],
  conversationId: 'reported',
  passEnv: BACKEND_FACTS.codex.passEnv,
  clearKeys: CLEAR_KEYS,
  runnable: [{ path: '.codex', unless: ['AGENTS.md', 'prompts', 'skills'] }],
  logIn: 'codex login',
  timings: TIMINGS,
  places(env) {
    const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex');
    const below = (...names: string[]) => names.map((name) => join(home, name));
    return {
      own: [home],
      read: below('hooks.json', 'AGENTS.md', 'prompts', 'skills', 'rules', 'plugins'),
      exchanged: below('auth.json'),
      copied: below('config.toml'),
      // Each of its commands runs in a sandbox of Codex.
      nests: true,
    };
  },

  launch(input) {
    const { model } = input.modelConfig;
    return {
      argv: [
        input.binaryPath,
        ...(input.resume && input.conversationId ? ['resume', input.conversationId] : []),
        // Without it, Codex copies 405 MB into CODEX_HOME and leaves orphans.
        ...['-c', 'features.daemon_auto_start=false', '-c', 'check_for_update_on_startup=false'],
        ...codexHooks(input.hookCommand, input.rights?.hooks),
        ...(input.rights?.servers ?? []).flatMap(({ name, entry }) => {
          // A person has allowed the server. With `-a never` Codex would refuse each call that its hints do not call safe.
          const allowed = { ...entry, default_tools_approval_mode: 'approve' };
          return ['-c', `mcp_servers.${name}=${toToml(allowed)}`];
        }),
        ...(input.prelude ? ['-c', `developer_instructions=${tomlText(input.prelude)}`] : []),
        // It would read AGENTS.md alone, and follow links. devflow gives it that file with the others.
        ...['-c', 'project_doc_max_bytes=0'],
        ...trust(input),
        ...(typeof model === 'string' ? ['-m', model] : []),
        ...['-a', 'never', ...sandbox(input)],
        ...input.args,
      ],
      env: {},
      files: {},
    };
  },

  readHook,
  readRecord: readRolloutLine,
  // 0.171.0. A paste may be lost at that time, which is no reason to ask a person.
  spinsAtStart: true,
  readTitle: (title) => (WORKING_TITLE.test(title) ? 'BUSY' : undefined),
  readScreen,
};

/** In a trusted project Codex runs what `.codex/` names. This entry is more exact than the person's. */
function trust({ wouldRun }: LaunchInput): string[] {
  if (!wouldRun) return [];
  return ['-c', `projects={${tomlText(wouldRun.worktree)}={trust_level="untrusted"}}`];
}

/**
 * Codex edits with commands, so `edit` and `execute` are the same: the sandbox decides what they may write. With `-s
 * read-only` a reader could not write its artifact either. A permission profile leaves that one directory open and
 * closes directories with secrets. Other modes keep `-s`: a profile would disable the user's
 * `[sandbox_workspace_write]` (network, more roots).
 */
function sandbox({ permissionMode, sessionId }: LaunchInput): string[] {
  if (permissionMode !== 'read') return ['-s', 'workspace-write'];
  const rules = [
    '":root"="read"',
    ...SECRET_DIRECTORIES.map((directory) => `"~/${directory}"="deny"`),
    // Codex would read a path with a `[` as a pattern, and refuse it.
    '":workspace_roots"={".devflow/artifacts"="write"}',
  ];
  // The user's or the repository's profile of the same name would be merged with it.
  const name = `devflow-${sessionId}`;
  return ['-c', `default_permissions="${name}"`, '-c', `permissions.${name}.filesystem={${rules.join(',')}}`];
}

function readHook({ name, data }: HookEvent): Reading | undefined {
  switch (name) {
    case 'Stop':
      return { state: 'READY', endsTurn: true, ...wordsOf(data.last_assistant_message) };
    case 'Interrupt':
      return { state: 'READY' };
    // SessionStart comes only with the first prompt.
    case 'SessionStart':
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PostToolUse':
      return { state: 'BUSY' };
    case 'PermissionRequest':
      return { state: 'WAITING', detail: `permission for ${textOr(data.tool_name, 'a tool')}` };
    default:
      return undefined;
  }
}

function readScreen(screen: Screen, shownAt: number): ReturnType<Profile['readScreen']> {
  const rows = screen.lines.map(plain);
  const dialog = DIALOGS.find(([pattern]) => pattern.test(rows.join('\n')))?.[1];
  if (dialog) return { dialog };
  const at = rows.findLastIndex((row) => /^› ?/.test(row));
  if (at < 0) return {};
  // The composer ends with an empty row; hints follow below it.
  const end = rows.findIndex((row, nth) => nth > at && row.trim() === '');
  const input = screen.lines.slice(at, end < 0 ? undefined : end).map(written);
  const composer = input.join('\n').replace(/^› ?/, '').trim();
  // Not in the composer's text: a prompt may contain these words.
  if (HOLDING.test(rows.findLast((row) => row.trim() !== '') ?? '')) return { composer, state: 'STARTING' };
  const isBusy = rows.some((row) => WORKING.some((pattern) => pattern.test(row)));
  const error = lastError(rows.slice(0, at));
  return { composer, ...(isBusy ? { state: 'BUSY' as const } : failure(error, shownAt)) };
}

/** The error that ended the last turn, its wrapped rows joined; an empty row follows it. */
function lastError(rows: readonly string[]): string | undefined {
  const start = rows.findLastIndex((row) => /^■ /.test(row));
  // A later prompt, or later text of the agent, makes it obsolete.
  const isOver = rows.findLastIndex((row) => /^[›•] /.test(row)) > start;
  if (start < 0 || isOver) return undefined;
  const end = rows.findIndex((row, nth) => nth > start && row.trim() === '');
  return rows
    .slice(start, end < 0 ? undefined : end)
    .map((row) => row.trim())
    .join(' ');
}

/**
 * Seen with 0.169.0, each behind `■`. `unexpected status 401 Unauthorized: …`. `exceeded retry limit, last status: 429
 * Too Many Requests`. `You’ve hit your usage limit. … try again at 12:59 PM.`. `We’re currently experiencing high
 * demand, …` for a 500. `Conversation interrupted …` for Esc, which is no failure.
 */
function failure(row: string | undefined, shownAt: number): Failure | { state: 'READY' } {
  if (row === undefined || NO_FAILURE.some((pattern) => pattern.test(row))) return { state: 'READY' };
  return failureOf(row.trim(), shownAt, FAILURE_WORDS);
}
