import { join } from 'node:path';
import { packageRoot } from '../../../schemas/files/paths.ts';
import type { Profile } from '../tmux/profile/profile.ts';
import { TIMINGS } from '../tmux/profile/profile.ts';
import { claude, claudeHooks, readClaudeHook, readClaudeState } from './claude.ts';
import { readClaudeScreen, readClaudeTitle } from './claudeScreen.ts';

/** The program of the tests (`test/fixtures/scripted`): it behaves like Claude, and stores its files elsewhere. */
export const scripted: Profile = {
  tried: claude.tried,
  conversationId: 'minted',
  passEnv: ['SCRIPTED', 'SCRIPTED_CONFIG_DIR', 'SCRIPTED_FIXTURES'],
  clearKeys: claude.clearKeys,
  logIn: 'scripted-agent',
  places: ({ SCRIPTED_CONFIG_DIR = '', SCRIPTED_FIXTURES = '' }) => ({
    own: [SCRIPTED_CONFIG_DIR],
    // A reviewer of it imports the sources.
    read: [SCRIPTED_FIXTURES, packageRoot()],
    copied: [join(SCRIPTED_CONFIG_DIR, 'scripted.json')],
  }),
  // Unlike a real agent it shows its composer only once it can take a prompt, and a paste at once.
  timings: {
    ...TIMINGS,
    startMs: 30_000,
    resumeMs: 30_000,
    settleStartMs: 100,
    stableMs: 50,
    pasteMs: 50,
    quietMs: 40,
    shownMs: 40,
    goneMs: 3000,
    unreadMs: 3000,
  },

  launch(input) {
    const id = input.conversationId ?? '';
    return {
      argv: [
        input.binaryPath,
        ...(input.resume ? ['--resume', id] : ['--session-id', id]),
        ...['--settings', join(input.sessionDir, 'scripted-settings.json')],
        ...(input.prelude ? ['--append-system-prompt', input.prelude] : []),
        ...input.args,
      ],
      env: {},
      files: {
        'scripted-settings.json': JSON.stringify({ hooks: claudeHooks(input.hookCommand, input.rights?.hooks) }),
      },
    };
  },

  readHook: readClaudeHook,
  stateFile: { directory: (env) => join(env.SCRIPTED_CONFIG_DIR ?? '', 'sessions'), read: readClaudeState },
  readTitle: readClaudeTitle,
  readScreen: readClaudeScreen,
};
