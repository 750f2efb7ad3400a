import { join } from 'node:path';
import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import type { AgentState } from '../tmux/profile/evidence.ts';
import {
  CLEAR_KEYS,
  type Launch,
  type LaunchInput,
  type Profile,
  TIMINGS,
  UNREPORTED_GONE_MS,
} from '../tmux/profile/profile.ts';
import { plain, type Screen } from '../tmux/profile/screen.ts';
import { type Failure, failureOf, limitOf } from './failureSigns.ts';
import { geminiPolicy } from './geminiPolicy.ts';
import { readGeminiLine } from './geminiRecord.ts';
import {
  ASKING_TITLE,
  DIALOGS,
  FAILURE_WORDS,
  LIMIT_DIALOGS,
  RESTING_TITLE,
  WORKING,
  WORKING_TITLE,
} from './geminiSigns.ts';

/** Matches no text. */
const NEVER = /(?!)/;

/**
 * Gemini CLI, measured with 0.61.0. All settings are flags and variables. A settings file of devflow, and with it
 * hooks, is impossible. Gemini skips files named by GEMINI_CLI_SYSTEM_SETTINGS_PATH and …_DEFAULTS_PATH unless root
 * owns them and every directory above. They would also replace an administrator's.
 */
export const gemini: Profile = {
  tried: ['0.61.0'],
  conversationId: 'minted',
  passEnv: BACKEND_FACTS.gemini.passEnv,
  clearKeys: CLEAR_KEYS,
  // A trusted Gemini takes settings (hooks, servers, commands) from `.gemini/`, and variables from `.env`.
  runnable: [
    { path: '.gemini', unless: ['GEMINI.md', 'commands', 'config.yaml', 'skills', 'styleguide.md'] },
    { path: '.env' },
    // It would follow a link of that name to any file.
    { path: 'GEMINI.md', when: NEVER },
  ],
  logIn: 'gemini',
  places(env) {
    const home = geminiHome(env);
    const below = (...names: string[]) => names.map((name) => join(home, name));
    return {
      own: [home],
      read: below('GEMINI.md', 'commands', 'extensions', 'policies', 'skills', '.env', 'google_account_id'),
      shared: below('oauth_creds.json', 'google_accounts.json'),
      copied: below('settings.json', 'trustedFolders.json', 'installation_id', 'state.json'),
    };
  },
  // Its screen is empty until it has drawn a resumed conversation: two minutes for 2.7 MB on a busy machine.
  timings: { ...TIMINGS, resumeMs: 240_000, settleStartMs: 1500, goneMs: UNREPORTED_GONE_MS },

  launch(input): Launch {
    const { model } = input.modelConfig;
    const id = conversation(input);
    const isReader = input.permissionMode === 'read';
    return {
      argv: [
        input.binaryPath,
        ...(input.resume ? ['--resume', id] : ['--session-id', id]),
        ...['--approval-mode', isReader ? 'default' : 'auto_edit'],
        // For this session only: each worktree is a new folder, and Gemini would ask about it.
        ...(input.wouldRun ? [] : ['--skip-trust']),
        // Our list replaces the user's directory, so the list names it too.
        ...['--policy', join(input.sessionDir, POLICY), '--policy', join(geminiHome(input.env), 'policies')],
        ...(typeof model === 'string' ? ['--model', model] : []),
        ...input.args,
      ],
      env: {
        ...(input.wouldRun ? { GEMINI_CLI_TRUST_WORKSPACE: 'false' } : {}),
        ...(input.prelude ? { GEMINI_SYSTEM_MD: join(input.sessionDir, SYSTEM) } : {}),
      },
      files: {
        [POLICY]: geminiPolicy(input.permissionMode, input.rights?.rules),
        ...(input.prelude ? { [SYSTEM]: systemText(input.prelude) } : {}),
      },
    };
  },

  /**
   * Gemini puts the content of a file in the place of `@name`. A part of a file's name suffices: of `dev/spec@1` it
   * made `dev/spec @src/a1.ts`. It sends `\@` to the model as it is.
   */
  escape: (text) => text.replaceAll(/(?<!\\)@/g, String.raw`\@`),

  // `<project>/chats/session-2026-11-21T14-25-31af6dfd.jsonl` contains a prompt as soon as it is taken.
  recordOf: (env, id) => ({
    within: join(geminiHome(env), 'tmp'),
    pattern: `*/chats/session-*-${id.slice(0, 8)}.jsonl`,
  }),
  readRecord: readGeminiLine,
  readHook: () => undefined,
  readTitle,
  isRestingTitle: (title) => RESTING_TITLE.test(title),
  readScreen,
};

const POLICY = 'gemini-policy.toml';
const SYSTEM = 'gemini-system.md';

function conversation({ conversationId }: LaunchInput): string {
  if (conversationId === undefined) throw new TypeError('A conversation of Gemini has its id from devflow.');
  return conversationId;
}

function geminiHome(env: Readonly<Record<string, string>>): string {
  // The program also treats an empty value as unset.
  return join(env.GEMINI_CLI_HOME || env.HOME || '/', '.gemini');
}

/** No flag adds to the program's own system prompt, so this replaces it. GEMINI.md is still added. */
function systemText(prelude: string): string {
  // A `$` in our text must not be read as one of the program's variables.
  const words = prelude.replaceAll('${', '$ {');
  return `${words}

Work through the tools: look before you change, prefer the smallest change that does all that was asked, follow the
conventions of the code around it, check what you did with the project's own commands where you can run them, and go on
until the task is done. Keep what you say short. In a prompt, \\@ stands for @.

\${AgentSkills}

Tools:
\${AvailableTools}
`;
}

/**
 * Reads only signs of work. `◇ Ready` also appears in a log-in dialog (0.61.0), and after a failed turn, which only the
 * screen shows.
 */
function readTitle(title: string): AgentState | undefined {
  if (ASKING_TITLE.test(title)) return 'WAITING';
  return WORKING_TITLE.test(title) ? 'BUSY' : undefined;
}

function readScreen(screen: Screen, shownAt: number): ReturnType<Profile['readScreen']> {
  const rows = screen.lines.map(plain);
  const composer = readComposer(rows);
  if (composer === undefined) return readDialog(rows, shownAt);
  if (rows.some((row) => WORKING.some((pattern) => pattern.test(row))))
    return { composer: composer.text, state: 'BUSY' };
  return { composer: composer.text, ...failure(lastError(rows.slice(0, composer.rule)), shownAt) };
}

function readDialog(rows: readonly string[], shownAt: number): ReturnType<Profile['readScreen']> {
  const start = rows.findLastIndex((row) => LIMIT_DIALOGS.some((pattern) => pattern.test(row)));
  if (start >= 0) {
    // The next row of the box may name the end.
    const box = rows.slice(start, start + 2).map((row) => row.replaceAll('│', '').trim());
    const sentence = box.filter((row, nth) => nth === 0 || /\bresets?\b/.test(row)).join(' ');
    const { state, detail, until } = limitOf(sentence, shownAt, FAILURE_WORDS);
    return { dialog: 'limit', state, detail: `${detail} (its menu is open: choose in its pane)`, until };
  }
  const dialog = DIALOGS.find(([pattern]) => pattern.test(rows.join('\n')))?.[1];
  return dialog === undefined ? {} : { dialog };
}

/**
 * The composer is below the last rule; the program's own text stands in it while it is empty. In true-colour terminals,
 * rows of half blocks replace the empty rows around it.
 */
function readComposer(rows: readonly string[]): { text: string; rule: number } | undefined {
  const rule = rows.findLastIndex((row) => /^─{20,}\s*$/.test(row));
  const start = rows.findIndex((row, nth) => nth > rule && /^ [>!*] /.test(row));
  if (rule < 0 || start < 0) return undefined;
  const end = rows.findIndex((row, nth) => nth > start && /^▀*\s*$/.test(row));
  const text = rows
    .slice(start, end < 0 ? undefined : end)
    .map((row) => row.slice(3).trim())
    .join('\n')
    .trim();
  return { text: /^(?:Type your message or @path\/to\/file|Type your shell command)$/.test(text) ? '' : text, rule };
}

/** The error that ended the last turn, its wrapped rows joined. */
function lastError(rows: readonly string[]): string | undefined {
  const start = rows.findLastIndex((row) => /^\s*✕ /.test(row));
  const isOver = rows.findLastIndex((row) => /^ > |^✦ /.test(row)) > start;
  if (start < 0 || isOver) return undefined;
  const end = rows.findIndex((row, nth) => nth > start && (row.trim() === '' || /^\s*[ℹ⚠✕] /.test(row)));
  return rows
    .slice(start, end < 0 ? undefined : end)
    .map((row) => row.trim())
    .join(' ');
}

/** Seen: `✕ [API Error: {"error":{"code":401,"status":"UNAUTHENTICATED","message":"API key not valid. …"}}]`. */
function failure(error: string | undefined, shownAt: number): Failure | { state: 'READY' } {
  if (error === undefined) return { state: 'READY' };
  return failureOf(error.replace(/^✕ /, ''), shownAt, FAILURE_WORDS);
}
