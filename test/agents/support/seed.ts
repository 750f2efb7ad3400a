import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Program } from '../programs/pins.ts';

/**
 * The one-time setup of a user of that program, in the test's own home: logged in, past the welcome, trusting the
 * repository.
 */
export interface Seeding {
  home: string;
  modelUrl: string;
  /** The main checkout. Trust depends on it, also in a worktree. */
  repo: string;
  trusted: boolean;
  /** By a key; or, for Claude, by a made-up subscription: only then it shows the menu of a limit. */
  loggedIn: boolean | 'subscription';
}

const KEY = 'sk-ant-api03-dummy-key-of-a-test-0000000000000000000000';

const SUBSCRIPTION = {
  claudeAiOauth: {
    accessToken: 'sk-ant-oat01-dummy',
    refreshToken: 'sk-ant-ort01-dummy',
    expiresAt: Date.UTC(2100, 0, 1),
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  },
};

/** The variables of devflow's configuration for that backend. */
export function seed(program: Program, seeding: Seeding): Record<string, string> {
  return SEEDS[program](seeding);
}

const SEEDS: Readonly<Record<Program, (seeding: Seeding) => Record<string, string>>> = {
  claude({ home, modelUrl, repo, trusted, loggedIn }) {
    const directory = join(home, 'claude-config');
    mkdirSync(directory, { recursive: true });
    const config = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: trusted ? { [repo]: { hasTrustDialogAccepted: true } } : {},
    };
    writeFileSync(join(directory, '.claude.json'), JSON.stringify(config));
    if (loggedIn === 'subscription') write(join(directory, '.credentials.json'), SUBSCRIPTION);
    const key: Record<string, string> = loggedIn === true ? { ANTHROPIC_API_KEY: KEY } : {};
    return { CLAUDE_CONFIG_DIR: directory, ANTHROPIC_BASE_URL: modelUrl, ...key };
  },

  codex({ home, modelUrl, repo, trusted, loggedIn }) {
    const directory = join(home, 'codex-home');
    mkdirSync(directory, { recursive: true });
    const lines = [
      'model_provider = "stub"',
      '[model_providers.stub]',
      'name = "stub"',
      `base_url = "${modelUrl}/v1"`,
      loggedIn ? 'env_key = "OPENAI_API_KEY"' : 'requires_openai_auth = true',
      'wire_api = "responses"',
      // Without retries, so that errors of the model are visible at once.
      'request_max_retries = 0',
      'stream_max_retries = 0',
      // The tests' worktrees are in /tmp, which its sandbox otherwise opens to all.
      '[sandbox_workspace_write]',
      'exclude_slash_tmp = true',
      'exclude_tmpdir_env_var = true',
      ...(trusted ? [`[projects.${JSON.stringify(repo)}]`, 'trust_level = "trusted"'] : []),
    ];
    writeFileSync(join(directory, 'config.toml'), `${lines.join('\n')}\n`);
    // Below the directory for temporary files Codex makes no helpers, and then its sandbox needs bubblewrap 0.9.
    const temporary = join(home, 'codex-tmp');
    mkdirSync(temporary, { recursive: true });
    return { CODEX_HOME: directory, OPENAI_API_KEY: 'dummy', TMPDIR: temporary };
  },

  gemini({ home, modelUrl, trusted, loggedIn }) {
    const directory = join(home, 'gemini-home');
    const settings = {
      // Without retries, so that errors of the model are visible at once. By default it retries for ever, silently.
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
      ui: { errorVerbosity: 'full' },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: {
        auth: loggedIn ? { selectedType: 'gemini-api-key' } : {},
        folderTrust: { enabled: !trusted },
      },
    };
    write(join(directory, '.gemini', 'settings.json'), settings);
    const key: Record<string, string> = loggedIn ? { GEMINI_API_KEY: 'dummy' } : {};
    return { GEMINI_CLI_HOME: directory, GOOGLE_GEMINI_BASE_URL: modelUrl, ...key };
  },

  opencode({ home, modelUrl }) {
    const config = join(home, 'opencode', 'opencode.json');
    const options = { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' };
    const models = { 'stub-model': { name: 'Stub', limit: { context: 1_000_000, output: 100_000 } } };
    write(config, {
      provider: { stub: { npm: '@ai-sdk/openai-compatible', name: 'Stub', options, models } },
      model: 'stub/stub-model',
      small_model: 'stub/stub-model',
      lsp: false,
      formatter: false,
    });
    // It makes npm fetch its plugin library into each new home, for about 15 s, and works without it if that fails.
    return { OPENCODE_CONFIG: config, OPENCODE_MODELS_URL: modelUrl, npm_config_offline: 'true' };
  },
};

function write(path: string, data: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(data));
}
