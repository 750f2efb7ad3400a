import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import {
  type LaunchInput,
  type Profile,
  type Reading,
  type RunnablePlace,
  TIMINGS,
  UNREPORTED_GONE_MS,
} from '../tmux/profile/profile.ts';
import { plain, type Screen } from '../tmux/profile/screen.ts';
import { readOpencodeHook } from './opencodeEvents.ts';
import { opencodePermissions } from './opencodePermissions.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import { DIALOGS, LONG_RETRY, OVERLAYS, RETRIED_LIMIT, WORKING } from './opencodeSigns.ts';

const CONFIGS = ['opencode.json', 'opencode.jsonc', 'tui.json', 'tui.jsonc'];

/** With 1.18.34, plugins of the repository run even with OPENCODE_DISABLE_PROJECT_CONFIG. */
const RUNNABLE: readonly RunnablePlace[] = [
  {
    path: '.opencode',
    unless: [
      ...['agent', 'agents', 'command', 'commands', 'mode', 'modes', 'skill', 'skills', 'themes', 'AGENTS.md'],
      // opencode writes these itself, and runs nothing of them without a plugin.
      ...['.gitignore', 'node_modules', 'package.json', 'package-lock.json', 'bun.lock', 'bun.lockb', ...CONFIGS],
    ],
  },
  // `\u0070lugin` is the same key.
  ...CONFIGS.flatMap((name) => [name, `.opencode/${name}`]).map((path) => ({ path, when: /plugin|\\u/i })),
];

/**
 * opencode, measured with 1.18.33 and 1.18.34. Its settings come by OPENCODE_CONFIG_CONTENT, which it merges over the
 * user's. A plugin of devflow reports its state. devflow does not use its server, so there is no port.
 */
export const opencode: Profile = {
  tried: ['1.18.33', '1.18.34'],
  conversationId: 'reported',
  passEnv: BACKEND_FACTS.opencode.passEnv,
  // It handles C-c before a character that came just before, finds its composer empty, and quits.
  clearKeys: ['End', 'S-Home', 'BSpace'],
  runnable: RUNNABLE,
  logIn: 'opencode auth login',
  places(env) {
    const home = env.HOME ?? homedir();
    const config = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
    const data = join(env.XDG_DATA_HOME ?? join(home, '.local/share'), 'opencode');
    const names = ['opencode.json', 'opencode.jsonc', 'config.json', 'tui.json', 'AGENTS.md', 'agent', 'agents'];
    const more = [
      'command',
      'commands',
      'mode',
      'modes',
      'plugin',
      'plugins',
      'tool',
      'tools',
      'skill',
      'skills',
      'themes',
    ];
    // OpenCode fetched these at an earlier start.
    const fetched = ['node_modules', 'package.json', 'package-lock.json', 'bun.lock', '.gitignore'];
    return {
      read: [
        ...[...names, ...more, ...fetched].map((name) => join(config, name)),
        ...[env.OPENCODE_CONFIG, env.OPENCODE_CONFIG_DIR].filter((path) => path !== undefined),
      ],
      shared: [join(data, 'auth.json')],
    };
  },
  timings: { ...TIMINGS, startMs: 90_000, resumeMs: 90_000, settleStartMs: 2500, goneMs: UNREPORTED_GONE_MS },

  launch(input) {
    refuseRunnable(input);
    const { model } = input.modelConfig;
    return {
      argv: [
        input.binaryPath,
        ...(input.resume && input.conversationId ? ['--session', input.conversationId] : []),
        ...['--agent', 'build'],
        ...(typeof model === 'string' ? ['--model', model] : []),
        ...input.args,
      ],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(input)),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        // No settings, servers and agents of the repository.
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      },
      files: {
        [PLUGIN]: opencodePlugin(input.sessionDir),
        ...(input.prelude ? { [PRELUDE]: `${input.prelude}\n` } : {}),
      },
    };
  },

  readHook: (event): Reading | undefined => readOpencodeHook(event),
  // The title is `OpenCode`, perhaps with the conversation's topic: it says nothing about the state.
  readTitle: () => undefined,
  readScreen,
};

function refuseRunnable({ wouldRun }: LaunchInput): void {
  if (!wouldRun) return;
  const { worktree, paths } = wouldRun;
  throw new DevflowError(
    'backend_unavailable',
    `opencode was not started in ${worktree}: it would run plugins or tools of the repository (${someOf(paths)}).`,
    { recoveryHint: 'Remove these files from the worktree, or start a run with another backend.' },
  );
}

const PLUGIN = 'opencode-plugin.js';
const PRELUDE = 'opencode-prelude.md';

function settings({ sessionDir, permissionMode, prelude, rights }: LaunchInput): Record<string, unknown> {
  const permission = opencodePermissions(permissionMode, rights);
  const servers = (rights?.servers ?? []).map(({ name, entry }) => [
    name,
    { ...entry, type: entry.url === undefined ? 'local' : 'remote', enabled: true },
  ]);
  return {
    autoupdate: false,
    share: 'disabled',
    plugin: [pathToFileURL(join(sessionDir, PLUGIN)).href],
    ...(prelude ? { instructions: [join(sessionDir, PRELUDE)] } : {}),
    ...(servers.length > 0 ? { mcp: Object.fromEntries(servers) } : {}),
    permission,
    // The user's settings for this agent would override the general ones.
    agent: { build: { permission } },
  };
}

function readScreen(screen: Screen): ReturnType<Profile['readScreen']> {
  const rows = screen.lines.map(plain);
  const text = rows.join('\n');
  const composer = readComposer(rows);
  const overlay = OVERLAYS.find(([pattern]) => pattern.test(text))?.[1];
  if (overlay !== undefined) return { dialog: overlay };
  if (composer === undefined) {
    const dialog = DIALOGS.find(([pattern]) => pattern.test(text))?.[1];
    return dialog === undefined ? {} : { dialog };
  }
  const busy = rows.find((row) => WORKING.some((pattern) => pattern.test(row)));
  if (busy === undefined) return { composer, state: 'READY' };
  const limit = RETRIED_LIMIT.exec(busy)?.[0];
  if (limit === undefined) return { composer, state: 'BUSY' };
  // opencode retries without a prompt, and the plugin says when. The last minute of a long wait looks like a short one.
  return LONG_RETRY.test(limit) ? { composer, state: 'QUOTA', detail: limit } : { composer };
}

/**
 * The rows with a bar on the left that end with `╹▀▀▀`, as wide as that line. The last row names agent and model. The
 * program's own text may stand in an empty composer.
 */
function readComposer(rows: readonly string[]): string | undefined {
  const end = rows.findLastIndex((row) => /^\s*╹▀{10,}/.test(row));
  if (end < 0) return undefined;
  const left = rows[end]?.indexOf('╹') ?? 0;
  const right = (rows[end]?.lastIndexOf('▀') ?? 0) + 1;
  const above = rows.slice(0, end);
  const start = above.findLastIndex((row) => row[left] !== '┃') + 1;
  const inside = above.slice(start).map((row) => row.slice(left + 1, right).trim());
  const label = inside.findLastIndex((row) => row !== '');
  if (label < 0) return undefined;
  const text = inside.slice(0, label).join('\n').trim();
  return /^(?:Ask anything|Run a command)(?:…|\.\.\.)/.test(text) && !text.includes('\n') ? '' : text;
}
